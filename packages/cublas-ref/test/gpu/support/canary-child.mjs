// Puts the TF32 canary before one kernel of this package and prints what became of it, as JSON. cuBLAS reads its
// variables when it starts, so each environment takes a process of its own.
import { openDevice } from '@ffma/core';
import { kernels } from '@ffma/cublas-ref';
import { verifyGemm } from '@ffma/verify';

const gemm = kernels.find(({ id }) => id === process.argv[2]);
const shape = { m: 256, n: 192, k: 4096 };
const device = await openDevice('cuda');
try {
  const { outcome, artefact, cases } = await verifyGemm(device, gemm, { cases: [{ shape, data: 'canary' }] });
  const gates = cases.flatMap((one) =>
    one.gates.map(({ gate, passed, failures }) => ({ gate, passed, failures })),
  );
  console.log(JSON.stringify({ outcome, artefact, gates, elements: shape.m * shape.n }));
} finally {
  device.close();
}
