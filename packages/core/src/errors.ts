/** Stable machine-readable error codes. New codes may be added; existing ones never change meaning. */
export type FfmaErrorCode =
  | 'FFMA_UNAVAILABLE'
  | 'FFMA_OUT_OF_MEMORY'
  | 'FFMA_ARGUMENT'
  | 'FFMA_COMPILE'
  | 'FFMA_DEVICE_LOST'
  | 'FFMA_UNSUPPORTED'
  | 'FFMA_CLOSED'
  | 'FFMA_KERNEL_FAULT'
  | 'FFMA_INTEGRITY';

export interface FfmaErrorOptions {
  /** What the reader can do about it, as one sentence. */
  remedy?: string;
  /** The driver's or compiler's own name for the failure, e.g. `CUDA_ERROR_INVALID_VALUE`. */
  native?: string;
  /** The call that failed, e.g. `cuMemAlloc`. */
  call?: string;
  /** Structured facts: the offending values, the whole compiler log, the fault's place. Must be JSON. */
  details?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** What an {@link FfmaError} looks like after `JSON.stringify` or `postMessage`. */
export interface FfmaErrorJson {
  name: string;
  code: FfmaErrorCode;
  message: string;
  remedy?: string;
  native?: string;
  call?: string;
  details?: Readonly<Record<string, unknown>>;
}

/** Base of every error that ffma throws. Switch on {@link code}; show {@link message}. */
export class FfmaError extends Error {
  readonly code: FfmaErrorCode;
  readonly remedy: string | undefined;
  readonly native: string | undefined;
  readonly call: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: FfmaErrorCode, message: string, options: FfmaErrorOptions = {}) {
    super(
      options.remedy === undefined ? message : `${message} ${options.remedy}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = new.target.name;
    this.code = code;
    this.remedy = options.remedy;
    this.native = options.native;
    this.call = options.call;
    this.details = options.details;
  }

  toJSON(): FfmaErrorJson {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      ...(this.remedy === undefined ? {} : { remedy: this.remedy }),
      ...(this.native === undefined ? {} : { native: this.native }),
      ...(this.call === undefined ? {} : { call: this.call }),
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }
}

/** A device, library or package that is needed is not there. */
export class UnavailableError extends FfmaError {
  constructor(message: string, options?: FfmaErrorOptions) {
    super('FFMA_UNAVAILABLE', message, options);
  }
}

export class OutOfMemoryError extends FfmaError {
  constructor(message: string, options?: FfmaErrorOptions) {
    super('FFMA_OUT_OF_MEMORY', message, options);
  }
}

/** The caller passed something that breaks a stated rule. Nothing was launched, nothing was changed. */
export class ArgumentError extends FfmaError {
  constructor(message: string, options?: FfmaErrorOptions) {
    super('FFMA_ARGUMENT', message, options);
  }
}

/** A CUDA compiler refused the source; `details.log` holds its whole output. */
export class CompileError extends FfmaError {
  constructor(message: string, options?: FfmaErrorOptions) {
    super('FFMA_COMPILE', message, options);
  }
}

/** A sticky error took the device down. Everything after it rejects with the same error; no data is returned. */
export class DeviceLostError extends FfmaError {
  constructor(message: string, options?: FfmaErrorOptions) {
    super('FFMA_DEVICE_LOST', message, options);
  }
}

/** The request is well formed, but this kernel, device or build cannot do it. */
export class UnsupportedError extends FfmaError {
  constructor(message: string, options?: FfmaErrorOptions) {
    super('FFMA_UNSUPPORTED', message, options);
  }
}

/** Use after `close()`. */
export class ClosedError extends FfmaError {
  constructor(what: string) {
    super('FFMA_CLOSED', `This ${what} is closed.`, { remedy: 'Keep it open until the last use.' });
  }
}

/** Where in a kernel a device check failed. Fields that do not apply are absent. */
export interface KernelFaultPlace {
  kernel: string;
  block?: readonly [x: number, y: number, z: number];
  thread?: readonly [x: number, y: number, z: number];
  ptxLine?: number;
  instruction?: string;
  source?: { file: string; line: number };
  address?: string;
  /** Of a race: the earlier access. Its thread is absent where it was several threads'; its block, where it is the same. */
  other?: Pick<KernelFaultPlace, 'block' | 'thread' | 'ptxLine' | 'instruction' | 'source'>;
}

/** A device check found a kernel doing something wrong (out of bounds, misaligned, divergent barrier...). */
export class KernelFaultError extends FfmaError {
  readonly kind: string;
  readonly place: KernelFaultPlace;
  constructor(kind: string, message: string, place: KernelFaultPlace, options: FfmaErrorOptions = {}) {
    super('FFMA_KERNEL_FAULT', message, { ...options, details: { ...options.details, kind, place } });
    this.kind = kind;
    this.place = place;
  }
}

/** An artefact's bytes do not match the digest in its manifest. */
export class IntegrityError extends FfmaError {
  constructor(message: string, options?: FfmaErrorOptions) {
    super('FFMA_INTEGRITY', message, options);
  }
}

const classes: Record<FfmaErrorCode, new (message: string, options?: FfmaErrorOptions) => FfmaError> = {
  FFMA_UNAVAILABLE: UnavailableError,
  FFMA_OUT_OF_MEMORY: OutOfMemoryError,
  FFMA_ARGUMENT: ArgumentError,
  FFMA_COMPILE: CompileError,
  FFMA_DEVICE_LOST: DeviceLostError,
  FFMA_UNSUPPORTED: UnsupportedError,
  FFMA_INTEGRITY: IntegrityError,
  FFMA_CLOSED: class extends FfmaError {
    constructor(message: string, options?: FfmaErrorOptions) {
      super('FFMA_CLOSED', message, options);
    }
  },
  FFMA_KERNEL_FAULT: class extends FfmaError {
    constructor(message: string, options?: FfmaErrorOptions) {
      super('FFMA_KERNEL_FAULT', message, options);
    }
  },
};

/** Whether something is an {@link FfmaError}, by its shape: also one of another copy of this package. */
export function isFfmaError(error: unknown): error is FfmaError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('FFMA_') &&
    'toJSON' in error
  );
}

/**
 * Rebuilds an error from its {@link FfmaError.toJSON} form, e.g. on the other side of a `postMessage`. One with a code that
 * this version does not know is a plain {@link FfmaError} of that code.
 */
export function errorFromJson(json: FfmaErrorJson): FfmaError {
  const remedy = json.remedy;
  const message =
    remedy !== undefined && json.message.endsWith(` ${remedy}`)
      ? json.message.slice(0, -remedy.length - 1)
      : json.message;
  const options: FfmaErrorOptions = {
    ...(remedy === undefined ? {} : { remedy }),
    ...(json.native === undefined ? {} : { native: json.native }),
    ...(json.call === undefined ? {} : { call: json.call }),
    ...(json.details === undefined ? {} : { details: json.details }),
  };
  const details = json.details as { kind?: string; place?: KernelFaultPlace } | undefined;
  if (json.code === 'FFMA_KERNEL_FAULT' && details?.kind !== undefined && details.place !== undefined) {
    return new KernelFaultError(details.kind, message, details.place, options);
  }
  return Object.hasOwn(classes, json.code)
    ? new classes[json.code](message, options)
    : new FfmaError(json.code, message, options);
}
