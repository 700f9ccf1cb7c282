// Has handles of cuBLAS on a device, starts a kernel that takes so many seconds, closes the device and ends with 7.
import { launch, ObjectCode, openDevice } from '@ffma/core';
import { cublas } from '@ffma/cublas-ref';

const [ptx, seconds] = process.argv.slice(2);
const device = await openDevice('cuda');
const loaded = await cublas.load(device);
const kernel = (await device.load(ObjectCode.fromPtx(ptx))).kernel('spin');
const n = 128;
const [a, b, c] = [n, n, n].map(() => device.allocateSync(n * n * 4));
const operation = loaded.prepare({ m: n, n, k: n }, { a, b, c });
const stream = device.createStream();
operation.enqueue(stream);
launch(stream, { grid: [1, 1, 1], block: [1, 1, 1] }, kernel, { type: 'u64', value: Number(seconds) * 1e9 });
operation.enqueue(stream);
device.close();
try {
  operation.enqueue(stream);
} catch (error) {
  console.log(error.code);
}
await new Promise((resolve) => setTimeout(resolve, 200));
process.exit(7);
