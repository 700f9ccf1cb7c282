/** Variants that take any size and led a search at some size; of those of a row, the fastest gives its figure. */
export const generic = [
  'k11/128x256x8_8x16_s2',
  'k12/128x64x16_nospread_tagged',
  'k12/128x256x8_s2_nospread_tagged',
  'k14',
  'k14/128x256x8_s3',
  'k14/64x128x8_s2',
];

/** Variants that have the sizes compiled in. */
export const specialised = [
  'k13/f_128x64x16_tagged',
  'k13/f_128x256x16_rows_tagged',
  'k13/f_128x256x8_s2_tagged',
];
