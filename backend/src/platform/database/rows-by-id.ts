/**
 * Iterates over rows in ascending id order, one page in memory at a time.
 * @param page reads the next rows after an id; an empty page ends the iteration
 */
export async function* rowsById<T extends { id: number }>(page: (after: number) => Promise<T[]>): AsyncGenerator<T> {
  for (let after = 0; ;) {
    const rows = await page(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield* rows;
    after = last.id;
  }
}
