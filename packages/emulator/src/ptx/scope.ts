/** What a name means inside a function, under its unique name. */
export interface Declared {
  readonly kind: 'reg' | 'symbol' | 'label';
  readonly name: string;
}

/** One `{ … }` of a function body; names are looked up outwards. */
export class Scope {
  private readonly names = new Map<string, Declared>();

  private constructor(
    readonly parent: Scope | undefined,
    private readonly taken: Map<string, number>,
  ) {}

  /** The scope of a whole function: parameters, body. */
  static ofFunction(): Scope {
    return new Scope(undefined, new Map());
  }

  inner(): Scope {
    return new Scope(this, this.taken);
  }

  /** Whether this scope itself, not one around it, declares the name. */
  declaresHere(name: string): boolean {
    return this.names.has(name);
  }

  /** Declares a name and gives the one to use for it, unique in the function. */
  declare(kind: Declared['kind'], name: string): string {
    const unique = this.makeUnique(name);
    this.names.set(name, { kind, name: unique });
    return unique;
  }

  lookUp(name: string): Declared | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      const declared = scope.names.get(name);
      if (declared !== undefined) return declared;
    }
    return undefined;
  }

  private makeUnique(name: string): string {
    let count = this.taken.get(name);
    if (count === undefined) {
      this.taken.set(name, 0);
      return name;
    }
    let unique: string;
    do unique = `${name}$${++count}`;
    while (this.taken.has(unique));
    this.taken.set(name, count);
    this.taken.set(unique, 0);
    return unique;
  }
}
