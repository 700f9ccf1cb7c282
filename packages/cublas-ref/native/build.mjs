import { dirname } from 'node:path';
import { buildAddon } from '../../core/native/build-addon.mjs';

process.exitCode = buildAddon({
  root: dirname(import.meta.dirname),
  title: 'The cuBLAS addon of @ffma/cublas-ref',
  without: 'Everything but calling cuBLAS works.',
});
