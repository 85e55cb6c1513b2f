import type { ToolContext } from '../tool.js';
import { currentTime, timeIn } from './current-time.js';

const AT = new Date('2026-11-22T17:05:09Z');

describe('timeIn', () => {
  it.each([
    ['UTC', '2026-11-22T17:05:09+00:00, Sunday, UTC'],
    ['Asia/Jakarta', '2026-11-23T00:05:09+07:00, Monday, Asia/Jakarta'],
    ['America/St_Johns', '2026-11-22T13:35:09-03:30, Sunday, America/St_Johns'],
  ])('writes the time in %s', (timeZone, text) => {
    expect(timeIn(timeZone, AT)).toBe(text);
  });
});

describe('current_time', () => {
  const run = async (args: unknown) => {
    const call = await currentTime.prepare(args, {} as ToolContext);
    return call(new AbortController().signal);
  };

  it('uses UTC without a time zone', async () => {
    expect((await run({})).text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00, \w+day, UTC$/);
  });

  it.each(['Atlantis', '../etc', 'x'.repeat(100)])('reports the unknown time zone %s', async (timeZone) => {
    expect(await run({ timeZone })).toMatchObject({ isError: true });
  });
});
