import { counterNames } from '../bench/counters.js';
import { nearNames } from '../discover/near-names.js';
import { UsageError } from '../usage-error.js';

/** Counters of which more is better; of all others less is. */
const better: ReadonlySet<string> = new Set([
  'ffma.share',
  'static.ffmaShare',
  'flop.perGlobalByte',
  'global.load.bytesPerSector',
  'global.store.bytesPerSector',
]);

export const higherIsBetter = (name: string): boolean => better.has(name);

const plain = (name: string) => name.replaceAll('.', '').toLowerCase();

/** A counter by its name, with or without dots: `overheadPerFfma` is `overhead.perFfma`. @throws UsageError */
export function counterNamed(text: string): string {
  const found = counterNames.find((name) => plain(name) === plain(text));
  if (found !== undefined) return found;
  const near = nearNames(text, counterNames);
  const some =
    near.length > 0 ? near : ['overhead.perFfma', 'shared.wavefrontsPerFfma', 'flop.perGlobalByte'];
  throw new UsageError(`There is no counter '${text}'.`, {
    remedy: `There are ${some.join(', ')}, and others.`,
  });
}
