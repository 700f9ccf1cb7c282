import { errorFromJson } from '../errors.js';
import type { NativeFailure } from './binding.js';

/** What to do about a CUDA error, by its name. */
const remedies: Readonly<Record<string, string>> = {
  CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    'Update the driver, or build the kernels with a toolkit that is not newer than it.',
  CUDA_ERROR_NO_BINARY_FOR_GPU: "Build the kernels for this GPU's architecture, or as PTX.",
  CUDA_ERROR_INVALID_IMAGE: 'It is neither a cubin for this GPU nor PTX; build it again.',
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: 'Launch fewer threads a block, or give each fewer registers.',
  CUDA_ERROR_NO_DEVICE: 'See what nvidia-smi lists, and whether CUDA_VISIBLE_DEVICES hides it.',
};

const lostRemedy =
  'Nothing that was computed since can be trusted, and this process cannot use the GPU again: start a new one. ' +
  'compute-sanitizer finds the kernel at fault.';

function messageOf({ native, message }: NativeFailure): string {
  return native === 'CUDA_ERROR_UNSUPPORTED_PTX_VERSION'
    ? `The PTX is newer than the driver. ${message}`
    : message;
}

/** The FfmaError for what went wrong in the addon; a compiler's log is in `details.log`. */
export function errorFromNative(failure: NativeFailure): Error {
  const { code, native, call, log } = failure;
  const remedy = code === 'FFMA_DEVICE_LOST' ? lostRemedy : remedies[native ?? ''];
  const message = messageOf(failure);
  return errorFromJson({
    name: 'FfmaError',
    code,
    message: remedy === undefined ? message : `${message} ${remedy}`,
    ...(remedy === undefined ? {} : { remedy }),
    ...(native === undefined ? {} : { native }),
    ...(call === undefined ? {} : { call }),
    ...(log === undefined ? {} : { details: { log } }),
  });
}
