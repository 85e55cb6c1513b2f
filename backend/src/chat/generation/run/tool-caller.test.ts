import { ToolCaller } from './tool-caller.js';

it.each(['identity', 'calls'])('rejects a step whose %s failed only after the other has settled', async (failed) => {
  const failure = new Error('Postgres unavailable');
  let resolveOther: (value: unknown) => void = () => undefined;
  const other = new Promise((resolve) => (resolveOther = resolve));
  const unused = {} as never;
  const caller = new ToolCaller(
    unused,
    { currentIdentity: () => (failed === 'identity' ? Promise.reject(failure) : other) } as never,
    { begin: () => (failed === 'identity' ? other : Promise.reject(failure)) } as never,
    unused,
    unused,
    unused,
    unused,
  );
  let isRejected = false;
  const step = caller.run(unused, [], 'scripted').catch((error: unknown) => {
    isRejected = true;
    return error;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isRejected).toBe(false);
  resolveOther({ planned: [], begun: [] });
  expect(await step).toBe(failure);
});
