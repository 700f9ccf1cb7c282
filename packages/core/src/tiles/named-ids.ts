/** Ids by hand for variants that are named by what tells them apart: `k11` and `128x256x8_8x16_s2` make one id. */
export function namedIds<const Name extends string>(
  kernel: string,
  own: string,
  names: readonly Name[],
): Readonly<Record<Name | 'default', string>> {
  const ids = names.map((name) => [name, `${kernel}_${name}`]);
  return Object.fromEntries([['default', `${kernel}_${own}`], ...ids]);
}
