/** What the device headers for tiles ask of parameters and problems: rules, figures and plans for declarations. */
export { ffmaOrder, ffmaOrders, knownOrder } from './ffma-order.js';
export { namedIds } from './named-ids.js';
export {
  atLeastTwoStages,
  groupOfRows,
  type RingTiles,
  ringFigures,
  ringRules,
  rowMajorA,
  type TransposableRing,
  transposableA,
  transposableFigures,
  transposedA,
} from './rings.js';
export { type CompiledSizes, compiledSizes, compiledTiles, isPacked, sizesGiven } from './sizes-given.js';
export { taggedSymbol } from './tagged-symbol.js';
export {
  blockPerTile,
  blockRules,
  divides,
  fewThreads,
  float4CopyRules,
  onePerTile,
  type WarpTiles,
  warpTileRules,
  warpTileThreads,
  wholeTiles,
} from './warp-tiles.js';
