/**
 * Moves positions on a line apart until each is `gap` from its neighbours, as little as that takes, within bounds where
 * there is room.
 * @returns them in the order given
 */
export function spreadApart(
  positions: readonly number[],
  gap: number,
  least: number,
  most: number,
): number[] {
  const order = positions
    .map((_, i) => i)
    .sort((x, y) => (positions[x] as number) - (positions[y] as number));
  // Neighbours that touch form a block, which stands as near as it can to the middle of what its members want.
  const blocks: { members: number[]; start: number }[] = [];
  const startOf = (members: readonly number[]) => {
    const wanted = members.map((member, i) => (positions[member] as number) - i * gap);
    const mean = wanted.reduce((sum, one) => sum + one, 0) / members.length;
    return Math.max(least, Math.min(mean, most - (members.length - 1) * gap));
  };
  for (const member of order) {
    blocks.push({ members: [member], start: startOf([member]) });
    for (let i = blocks.length - 1; i > 0; i--) {
      const [above, below] = [blocks[i - 1], blocks[i]] as [(typeof blocks)[0], (typeof blocks)[0]];
      if (above.start + above.members.length * gap <= below.start) break;
      const members = [...above.members, ...below.members];
      blocks.splice(i - 1, 2, { members, start: startOf(members) });
    }
  }
  const placed = positions.map(() => 0);
  for (const { members, start } of blocks)
    for (const [i, member] of members.entries()) placed[member] = start + i * gap;
  return placed;
}
