// Compiles the ceiling kernels of ffma roofline to dist/ceilings. Runs after tsc, as part of the build.
import { buildCeilings } from '../dist/roofline/ceiling-code.js';

await buildCeilings();
