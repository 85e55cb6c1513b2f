/**
 * Does `work` with each item, one after another. One that fails keeps none of the others from its turn.
 * @throws AggregateError of all failures, after the last item
 */
export async function eachAlone<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `failed for ${failures.length} of them`);
}
