const SECTOR_BITS = 5;
const seenAddresses = new Uint32Array(32);
const seenSectors = new Uint32Array(32);
const result = { sectors: 0, unique: 0, list: seenSectors };

/**
 * Distinct addresses and distinct 32-byte sectors of one warp request. Accesses are aligned to their size, so two
 * of them share bytes only if they share their address, and none crosses a sector.
 *
 * @param addresses byte addresses; the first `lanes` count
 * @param bytes size of each access
 * @returns a record that the next call reuses; `list` starts with the sectors
 */
export function measureRequest(
  addresses: Uint32Array,
  lanes: number,
  bytes: number,
): { readonly sectors: number; readonly unique: number; readonly list: Uint32Array } {
  let unique = 0;
  let sectors = 0;
  let highest = -1;
  let highestSector = -1;
  for (let lane = 0; lane < lanes; lane++) {
    const address = addresses[lane]!;
    const sector = address >>> SECTOR_BITS;
    // Ascending addresses, the usual case, need no search.
    if (address > highest || !includes(seenAddresses, unique, address)) {
      seenAddresses[unique++] = address;
      if (address > highest) highest = address;
    }
    if (sector > highestSector || !includes(seenSectors, sectors, sector)) {
      seenSectors[sectors++] = sector;
      if (sector > highestSector) highestSector = sector;
    }
  }
  result.unique = unique;
  result.sectors = sectors * Math.max(1, bytes >> SECTOR_BITS);
  return result;
}

function includes(seen: Uint32Array, count: number, value: number): boolean {
  for (let i = count - 1; i >= 0; i--) if (seen[i] === value) return true;
  return false;
}
