const START = `#!/bin/sh
set -e
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
`;

/**
 * Programs of the bundle, by path: shell scripts that run the bundled Node.js. `ffma` finds the bundle's own kernels
 * from whatever folder it is called in.
 */
export const launchers = {
  'bin/ffma': `${START}export FFMA_ROOT="\${FFMA_ROOT:-$root}"
export FFMA_COMMAND="\${FFMA_COMMAND:-$0}"
exec "$root/bin/node" "$root/node_modules/@ffma/bench/bin/ffma.js" "$@"
`,
  'bin/record': `${START}exec "$root/bin/node" "$root/scripts/record.mjs" "$@"
`,
  'bin/test-gpu': `${START}exec "$root/bin/node" "$root/scripts/test-gpu.mjs" "$@"
`,
};
