import { ArgumentError } from '../errors.js';
import type { EntryParam, Params } from '../gemm/kernel-definition.js';

/** A `__global__` function to generate around a device function template. */
export interface EntryPoint {
  /** Device symbol. */
  readonly symbol: string;
  /** Template over the parameter struct, called with the entry's own arguments. */
  readonly fn: string;
  readonly signature: readonly EntryParam[];
  /** Threads a block; becomes the launch bound. */
  readonly threads: number;
}

const cppTypes: Record<EntryParam['type'], string> = {
  in: 'const float* __restrict__',
  out: 'float* __restrict__',
  ptr: 'void*',
  tensorMap: 'const __grid_constant__ ffma::tensor_map',
  i32: 'int',
  i64: 'long long',
  f32: 'float',
};

function identifier(what: string, name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new ArgumentError(`${what} must be a C identifier, but is '${name}'.`);
  return name;
}

function constant(name: string, value: number | boolean): string {
  identifier('A parameter name', name);
  if (typeof value === 'boolean') return `  static constexpr bool ${name} = ${value};`;
  if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 31) {
    throw new ArgumentError(
      `Parameter ${name} must be a 32-bit integer, because it becomes an int, but is ${value}.`,
    );
  }
  return `  static constexpr int ${name} = ${value};`;
}

function entryFunction({ symbol, fn, signature, threads }: EntryPoint): string {
  const params = signature.map(
    ({ name, type }) => `    ${cppTypes[type]} ${identifier('An argument name', name)}`,
  );
  const args = signature.map(({ name, type }, i) =>
    type === 'tensorMap' ? `FFMA_PARAMETER(${name}, ${symbol}_param_${i})` : name,
  );
  return [
    `extern "C" __global__ void __launch_bounds__(${threads}) ${identifier('A device symbol', symbol)}(`,
    `${params.join(',\n')}) {`,
    `  ${identifier('A device function', fn)}<P>(${args.join(', ')});`,
    '}',
    '',
  ].join('\n');
}

/**
 * Where a parameter lies that is a tensor map: what copies by it takes is the address of the parameter itself. clang 19
 * has no __grid_constant__ and would give that of a copy; it is asked for by the name that compilers give parameters.
 */
const parameterMacro = `#ifdef __clang__
#define __grid_constant__
#define FFMA_PARAMETER(name, ptx) \\
  ({ const decltype(name)* at; asm("{ .reg .b64 p; mov.b64 p, " #ptx "; cvta.param.u64 %0, p; }" : "=l"(at)); at; })
#else
#define FFMA_PARAMETER(name, ptx) (&name)
#endif`;

/**
 * The translation unit of a variant: its source, its parameters by name, and its entry points. A parameter that the
 * source asks for and the declaration lacks is a compile error.
 */
export function entryText(
  sourceName: string,
  params: Params,
  derived: Readonly<Record<string, number | undefined>>,
  entries: readonly EntryPoint[],
): string {
  const taken = Object.keys(derived).find((name) => name in params);
  if (taken !== undefined) {
    throw new ArgumentError(`${taken} is derived, so it cannot be the name of a parameter.`, {
      remedy: 'Rename it.',
    });
  }
  const constants = Object.entries({ ...params, ...derived }).flatMap(([name, value]) =>
    value === undefined ? [] : [constant(name, value)],
  );
  const maps = entries.some(({ signature }) => signature.some(({ type }) => type === 'tensorMap'));
  return [
    `#include "${sourceName}"`,
    '',
    'struct P {',
    ...constants,
    '};',
    ...(maps ? ['', parameterMacro] : []),
    '',
    entries.map(entryFunction).join('\n'),
  ].join('\n');
}
