import { eachAlone } from './each-alone.js';

it('does the work with each item, one after another, and tells of those that failed at the end', async () => {
  const begun: number[] = [];
  let running = 0;
  const work = async (item: number) => {
    expect((running += 1)).toBe(1);
    begun.push(item);
    await Promise.resolve();
    running -= 1;
    if (item % 2 === 1) throw new Error(`odd ${item}`);
  };
  const failure: unknown = await eachAlone([1, 2, 3, 4], work).catch((error: unknown) => error);
  expect(begun).toEqual([1, 2, 3, 4]);
  expect(failure).toMatchObject({ errors: [new Error('odd 1'), new Error('odd 3')] });
});

it('ends without a failure when none failed', async () => {
  await expect(eachAlone([2, 4], () => Promise.resolve())).resolves.toBeUndefined();
});
