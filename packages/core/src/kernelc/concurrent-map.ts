/** Maps with at most `limit` calls under way; results in the order of the items. Never rejects: each result says how its call ended. */
export async function concurrentMap<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const results: PromiseSettledResult<R>[] = [];
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      const [settled] = await Promise.allSettled([(async () => work(items[index] as T))()]);
      results[index] = settled;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}
