/**
 * Rows by rising id, a page at a time, so that however many there are only some of them are in memory.
 * @param page the next ones after this id; none when it was the last
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
