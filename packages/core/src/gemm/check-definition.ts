import { ArgumentError } from '../errors.js';
import type { Derived, KernelDefinition, Params } from './kernel-definition.js';

const NAME = /^[a-z][a-z0-9_-]*$/;
const SLUG = /^[a-z0-9][a-z0-9-]*$/;
const exactnesses = ['k-order', 'reordered'];

function checkValue(kernel: string, key: string, value: unknown): void {
  if (typeof value === 'boolean') return;
  if (Number.isInteger(value) && Math.abs(value as number) < 2 ** 31) return;
  throw new ArgumentError(
    `Parameter ${key} of ${kernel} must be a boolean or an integer of 32 bits, because it becomes an int, but is ${String(value)}.`,
  );
}

/** Checks what a declaration has to have, whoever wrote it in whatever language. @throws ArgumentError */
export function checkDefinition(definition: KernelDefinition): void {
  const { name, slug, source, params, exactness } = definition;
  if (!NAME.test(name)) {
    throw new ArgumentError(
      `A kernel's name must match ${NAME}, because it becomes part of a C symbol, but is '${name}'.`,
    );
  }
  if (!SLUG.test(slug)) throw new ArgumentError(`A kernel's slug must match ${SLUG}, but is '${slug}'.`);
  for (const method of ['derive', 'plan'] as const) {
    if (typeof definition[method] === 'function') continue;
    throw new ArgumentError(`${method} of ${name} must be a function, but is ${typeof definition[method]}.`);
  }
  if (!(source instanceof URL)) {
    throw new ArgumentError(`The source of ${name} must be a URL, but is ${typeof source}.`, {
      remedy: "Write new URL('./kernel.cu', import.meta.url).",
    });
  }
  if (!exactnesses.includes(exactness)) {
    throw new ArgumentError(
      `The exactness of ${name} must be ${exactnesses.join(' or ')}, but is ${String(exactness)}.`,
    );
  }
  if (definition.entries !== undefined && !Object.hasOwn(definition.entries, 'main')) {
    throw new ArgumentError(
      `The entries of ${name} must have main, but are ${Object.keys(definition.entries).join(', ') || 'none'}.`,
    );
  }
  if (typeof params !== 'object' || params === null) {
    throw new ArgumentError(`${name} must declare its params, {} if it has none.`);
  }
  for (const [key, value] of Object.entries(params)) checkValue(name, key, value);
}

/** Checks changes of parameters against those declared. @throws ArgumentError for unknown names and wrong types */
export function checkParams(definition: KernelDefinition, changes: Partial<Params>): void {
  const { name, params } = definition;
  for (const [key, value] of Object.entries(changes)) {
    const usual = Object.hasOwn(params, key) ? params[key] : undefined;
    if (usual === undefined) {
      throw new ArgumentError(
        `${name} has no parameter ${key}; it has ${Object.keys(params).join(', ') || 'none'}.`,
      );
    }
    if (typeof value !== typeof usual) {
      throw new ArgumentError(
        `Parameter ${key} of ${name} must be a ${typeof usual}, but is ${String(value)}.`,
      );
    }
    checkValue(name, key, value);
  }
}

/** Checks what `derive` gave for a variant. @throws ArgumentError */
export function checkDerived(id: string, derived: Derived): void {
  for (const [figure, value] of Object.entries(derived)) {
    if (value === undefined) continue;
    if (!Number.isInteger(value) || value < 0) {
      throw new ArgumentError(
        `derive() of ${id} must give integers from 0 on, but ${figure} is ${String(value)}.`,
      );
    }
  }
  if (!(derived.threads >= 1 && derived.threads <= 1024)) {
    throw new ArgumentError(`derive() of ${id} must give threads in 1..1024, but gives ${derived.threads}.`);
  }
  if (derived.sharedBytes === undefined) throw new ArgumentError(`derive() of ${id} must give sharedBytes.`);
}
