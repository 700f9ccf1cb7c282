/** Text as an id of HTML, of an address and of a file: small letters, digits and hyphens. */
export function slug(text: string): string {
  const plain = text
    .replaceAll('×', 'x')
    .replaceAll('³', '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return plain === '' ? 'x' : plain;
}

/** Gives ids that were not given before. */
export function idMaker(): (text: string) => string {
  const given = new Set<string>();
  return (text) => {
    const wanted = slug(text);
    let id = wanted;
    for (let i = 2; given.has(id); i++) id = `${wanted}-${i}`;
    given.add(id);
    return id;
  };
}
