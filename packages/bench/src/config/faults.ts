import { z } from 'zod';
import { nearNames } from '../discover/near-names.js';

/** `bench.sizes[2]`. */
const fieldOf = (path: readonly PropertyKey[]): string => z.core.toDotPath([...path]);

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inside, key) => (inside as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}

const shown = (value: unknown) => (value === undefined ? 'missing' : JSON.stringify(value));

/** Of a choice of several forms, the faults of the one that came furthest. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const forms = issue.errors.filter((form) => form.length > 0);
  const own = forms.map((form) =>
    form.flatMap((one) => innermost({ ...one, path: [...issue.path, ...one.path] } as z.core.$ZodIssue)),
  );
  const depth = (form: readonly z.core.$ZodIssue[]) =>
    Math.max(...form.map(({ path, code }) => 2 * path.length + (code === 'invalid_type' ? 0 : 1)));
  return own.sort((x, y) => depth(y) - depth(x))[0] ?? [issue];
}

function sentence(issue: z.core.$ZodIssue, value: unknown, known: readonly string[]): string {
  const field = fieldOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const near = nearNames(key, known);
    const offer = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ` There are ${known.join(', ')}.`;
    return `${fieldOf([...issue.path, key])} is no field of a configuration.${known.length > 0 ? offer : ''}`;
  }
  if (issue.code === 'custom') return `${field}: ${issue.message}`;
  return `${field} is ${shown(at(value, issue.path))}. ${issue.message.replace(/\.?$/, '.')}`;
}

/**
 * What is wrong with a configuration, as sentences that begin with the field.
 * @param fields names of the fields there are, by the path of what has them
 */
export function faultsOf(
  error: z.ZodError,
  value: unknown,
  fields: Readonly<Record<string, readonly string[]>> = {},
): string[] {
  return error.issues
    .flatMap((issue) => innermost(issue))
    .map((issue) => sentence(issue, value, fields[fieldOf(issue.path)] ?? []));
}
