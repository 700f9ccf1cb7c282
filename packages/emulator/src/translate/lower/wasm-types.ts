/**
 * binaryen's numbers for types, written out: lowering is loaded with the package, and binaryen, which takes a second,
 * only where something is translated.
 */
export const [i32, i64, f32, f64] = [2, 3, 4, 5] as const;
