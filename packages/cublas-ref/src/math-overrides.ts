/** Variables of the environment that change what cuBLAS computes, whatever it is asked for. */
export interface MathOverride {
  readonly variable: string;
  readonly value: string;
  /** Whether products may lose bits of float32 by it. */
  readonly lossy: boolean;
  /** What it does, for people. */
  readonly sentence: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const known: readonly {
  variable: string;
  read: (value: string) => Omit<MathOverride, 'variable' | 'value'>;
}[] = [
  {
    variable: 'NVIDIA_TF32_OVERRIDE',
    read: (value) =>
      value === '0'
        ? { lossy: false, sentence: 'TF32 is off, whatever is asked for' }
        : {
            lossy: true,
            sentence: 'TF32 is forced, which drops 13 of 24 bits of every input, except in pedantic math',
          },
  },
  {
    variable: 'CUBLAS_EMULATE_SINGLE_PRECISION',
    read: (value) =>
      value === '0'
        ? { lossy: false, sentence: 'float32 is not emulated, whatever is asked for' }
        : { lossy: true, sentence: 'float32 may be emulated by sums of bfloat16 products' },
  },
];

/**
 * The overrides that are set. cuBLAS reads them once, when it is loaded or a handle is created, so what counts is the
 * environment that the process started with.
 */
export function mathOverrides(env: Environment = process.env): MathOverride[] {
  return known.flatMap(({ variable, read }) => {
    const value = env[variable];
    return value === undefined || value === '' ? [] : [{ variable, value, ...read(value) }];
  });
}

/** `NVIDIA_TF32_OVERRIDE=1: TF32 is forced, …`. */
export function describeOverride({ variable, value, sentence }: MathOverride): string {
  return `${variable}=${value}: ${sentence}`;
}
