import type { Device } from '../device/device.js';
import { shown } from '../device/shown.js';
import { ArgumentError } from '../errors.js';
import { checkDefinition, checkDerived, checkParams } from './check-definition.js';
import type { Gemm, GemmLoadOptions, LoadedGemm } from './gemm.js';
import {
  type Derived,
  type Exactness,
  gemmSignature,
  type KernelDefinition,
  type KernelEntry,
  type Needs,
  type Params,
  type PlanDevice,
  type Resources,
  type Widen,
} from './kernel-definition.js';
import { loadVariant } from './load.js';
import type { MachineCodeLimits } from './machine-code.js';
import type { Plan } from './plan.js';
import { type GemmProblem, type GemmShape, reducedProblem } from './problem.js';
import { refusalOf } from './refusal.js';
import {
  checkFilled,
  filledId,
  filledParams,
  type GemmSizes,
  openError,
  refusalOfOpen,
} from './specialise.js';
import { readTuned, tunedName } from './tuned.js';
import { symbolOf, variantId } from './variant-id.js';

const defaultEntries: Readonly<Record<string, KernelEntry>> = {
  main: { fn: 'gemm', signature: gemmSignature },
};

/** One parameter set of a kernel: what is compiled, launched, tested and measured under one id. */
export class Variant<P extends Params = Params> implements Gemm {
  readonly definition: KernelDefinition<P>;
  readonly params: Widen<P>;
  readonly id: string;
  /** With its defaults filled in. */
  readonly derived: Derived & { readonly dynamicSharedBytes: number };

  constructor(definition: KernelDefinition<P>, params: Widen<P>, id?: string) {
    this.definition = definition;
    this.params = params;
    this.id = id ?? variantId(definition.name, params);
    const derived = definition.derive(params);
    this.derived = { ...derived, dynamicSharedBytes: derived?.dynamicSharedBytes ?? 0 };
    const broken = (definition.rules ?? []).filter((r) => !r.holds(params, this.derived));
    if (broken.length > 0) {
      throw new ArgumentError(
        `Variant ${this.id} breaks ${broken.length === 1 ? 'a rule' : 'rules'} of ${definition.name}: ` +
          `${broken.map((r) => r.sentence).join('; ')}.`,
        { remedy: 'Choose other parameters.', details: { params } },
      );
    }
    // After the rules: their sentences say more.
    checkDerived(this.id, this.derived);
  }

  get kernel(): string {
    return this.definition.name;
  }

  get summary(): string {
    return this.definition.change;
  }

  get exactness(): Exactness {
    return this.definition.exactness;
  }

  /** True where the sizes of a problem are to be compiled in and none are filled in: see `forShape`. */
  get open(): boolean {
    return this.definition.specialise?.open(this.params) ?? false;
  }

  get atomicSums(): boolean {
    return this.definition.atomicSums ?? false;
  }

  get specialised(): boolean {
    if (this.open) return true;
    return this.definition.specialised?.(this.params) ?? this.needs.exactly !== undefined;
  }

  get needs(): Needs {
    return this.definition.needs?.(this.params) ?? {};
  }

  /** What the machine code of its entry `main` must be like on sm_90; undefined where nothing is asked. */
  get machineCode(): MachineCodeLimits | undefined {
    return this.definition.machineCode?.(this.params);
  }

  get entries(): Readonly<Record<string, KernelEntry>> {
    return this.definition.entries ?? defaultEntries;
  }

  /** Device symbol by entry. */
  get symbols(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.keys(this.entries).map((entry) => [entry, symbolOf(this.definition, this, entry)]),
    );
  }

  /** Of an open variant: why its filled one would not take the problem. */
  refusal(problem: GemmProblem | GemmShape, device?: PlanDevice): string | undefined {
    return (this.open ? refusalOfOpen : refusalOf)(this.needs, problem, device);
  }

  /**
   * This variant with sizes filled in, which takes no others and is compiled when it is loaded, unless it was built;
   * itself where it is not open. @throws UnsupportedError where it does not take these sizes
   */
  forShape(sizes: GemmSizes): Variant<P> {
    if (!this.open) return this;
    if (typeof sizes !== 'object' || sizes === null) {
      throw new ArgumentError(`forShape of ${this.id} needs { m, n, k }, but got ${shown(sizes)}.`);
    }
    const { m, n, k } = sizes;
    const any = this as unknown as Variant;
    const params = filledParams(any, { m, n, k });
    const filled = new Variant(this.definition, params as Widen<P>, filledId(any, params, { m, n, k }));
    checkFilled(filled as unknown as Variant, { m, n, k });
    return filled;
  }

  /** The launches for a problem; none where C has no elements. */
  plan(problem: GemmProblem, device: PlanDevice, resources: Resources): Plan {
    if (this.open) throw openError(this as unknown as Variant);
    if (problem.m === 0 || problem.n === 0) return { launches: [] };
    return this.definition.plan(reducedProblem(problem), this.params, device, resources);
  }

  /** Sums that the products of an element are split into, at most. @throws ArgumentError where that is no count */
  partialSums(problem: GemmProblem, device: PlanDevice, resources: Resources): number {
    if (problem.m === 0 || problem.n === 0) return 1;
    const sums = this.definition.partialSums?.(reducedProblem(problem), this.params, device, resources) ?? 1;
    if (Number.isInteger(sums) && sums >= 1) return sums;
    throw new ArgumentError(`partialSums() of ${this.id} must give an integer from 1 on, but gives ${sums}.`);
  }

  load(device: Device, options?: GemmLoadOptions): Promise<LoadedGemm> {
    return loadVariant(this as unknown as Variant, device, options);
  }
}

/** A kernel: its default variant, and the way to its other ones. */
export class DefinedKernel<P extends Params = Params> extends Variant<P> {
  /** Declared variants by name, and those of `tuned.json` beside the source; always has `default`. */
  readonly variants: ReadonlyMap<string, Variant<P>>;
  /** Those that a package has built when it is installed: the default one, and what `ships` names. */
  readonly shipped: readonly Variant<P>[];

  constructor(definition: KernelDefinition<P>) {
    const declared = definition.variants?.default;
    checkDefinition(definition as unknown as KernelDefinition);
    checkParams(definition as unknown as KernelDefinition, (declared ?? {}) as Partial<Params>);
    super(definition, { ...definition.params, ...declared } as Widen<P>, definition.ids?.default);
    const variants = new Map<string, Variant<P>>([['default', this as Variant<P>]]);
    for (const [name, params] of Object.entries(definition.variants ?? {})) {
      if (name === 'default') continue;
      const made = this.#make(params as Partial<Widen<P>>, definition.ids?.[name]);
      const same = [...variants].find(([, { id }]) => id === made.id);
      if (same !== undefined) {
        throw new ArgumentError(
          `Every variant of ${this.name} needs an id of its own, but ${same[0]} and ${name} are both ${made.id}.`,
        );
      }
      variants.set(name, made);
    }
    // One that is declared already keeps its name.
    for (const entry of readTuned(definition as unknown as KernelDefinition)) {
      const made = this.#make(entry.params as Partial<Widen<P>>, undefined);
      if (![...variants.values()].some(({ id }) => id === made.id)) variants.set(tunedName(entry), made);
    }
    this.variants = variants;
    this.shipped = [this as Variant<P>, ...(definition.ships ?? []).map((name) => this.variant(name))];
  }

  get name(): string {
    return this.definition.name;
  }

  /** A declared variant. @throws ArgumentError naming those that exist. */
  variant(name: string): Variant<P> {
    const found = this.variants.get(name);
    if (found === undefined) {
      throw new ArgumentError(
        `${this.name} has no variant '${name}'; it has ${[...this.variants.keys()].join(', ')}.`,
      );
    }
    return found;
  }

  /** A variant with some parameters changed. @throws ArgumentError for unknown names, wrong types, broken rules. */
  with(params: Partial<Widen<P>>): Variant<P> {
    return this.#make(params, undefined);
  }

  #make(params: Partial<Widen<P>>, id: string | undefined): Variant<P> {
    checkParams(this.definition as unknown as KernelDefinition, params as Partial<Params>);
    return new Variant(this.definition, { ...this.definition.params, ...params } as Widen<P>, id);
  }
}

/** Declares a kernel. Checks what can be checked without compiling. @throws ArgumentError */
export function defineKernel<const P extends Params>(definition: KernelDefinition<P>): DefinedKernel<P> {
  return new DefinedKernel(definition);
}
