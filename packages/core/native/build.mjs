import { dirname } from 'node:path';
import { buildAddon } from './build-addon.mjs';

process.exitCode = buildAddon({
  root: dirname(import.meta.dirname),
  title: 'The CUDA addon of @ffma/core',
  without: 'Everything else works.',
});
