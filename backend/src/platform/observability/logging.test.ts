import { QueryFailedError } from 'typeorm';
import { createLogger } from './logging.js';

/** The lines that a logger writes. */
function linesOf(write: (logger: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = [];
  write(createLogger('info', { write: (line) => void lines.push(line) }));
  return lines;
}

const parsed = (line: string | undefined) => JSON.parse(line!) as { err: Record<string, string>; modelId: string };

it('SET-5: writes one line of JSON for hostile text, without characters that a terminal obeys', () => {
  const hostile = 'a\u001b[31m\r\n{"level":60}\u0000\u0007\u009b2J\u2028\u202e\ud800';
  const [line, ...others] = linesOf((logger) => logger.warn({ modelId: hostile }, 'request'));
  expect(others).toEqual([]);
  expect(line!.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
  expect(parsed(line).modelId.toWellFormed()).toBe(hostile.toWellFormed());
});

it('SET-5: keeps the parameters of a failed statement out of the line, which are texts of people', () => {
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(budi@example.com)' });
  const failed = new QueryFailedError('insert into message values ($1)', ['my secret diary'], cause);
  const [line] = linesOf((logger) => logger.error({ err: failed }, 'request failed'));
  expect(line).not.toMatch(/diary|budi|insert into/);
  expect(parsed(line).err).toMatchObject({ type: 'QueryFailedError', message: 'duplicate key', code: '23505' });
});

it('cuts an error of 10 MB', () => {
  const [line] = linesOf((logger) => logger.error({ err: new Error('x'.repeat(10_000_000)) }, 'request failed'));
  expect(line!.length).toBeLessThan(10_000);
});

it('names the cause of an error in its stack', () => {
  const [line] = linesOf((logger) =>
    logger.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed'),
  );
  expect(parsed(line).err['stack']).toContain('inner');
});

it('writes a thrown value that is no error by its type', () => {
  const [line] = linesOf((logger) => logger.error({ err: 'my secret diary' }, 'failed'));
  expect(parsed(line).err).toEqual({ type: 'string' });
});
