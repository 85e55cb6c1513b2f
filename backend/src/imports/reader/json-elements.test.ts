import { Readable } from 'node:stream';
import { jsonElements } from './json-elements.js';

/** The values of the elements; the title alone of one that was left out. */
async function read(text: string | Buffer, bytesPerChunk = 7): Promise<unknown[]> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / bytesPerChunk) }, (_, at) =>
    bytes.subarray(at * bytesPerChunk, (at + 1) * bytesPerChunk),
  );
  const values: unknown[] = [];
  for await (const element of jsonElements(Readable.from(chunks, { objectMode: false }))) {
    values.push('value' in element ? element.value : element);
  }
  return values;
}

const MEGABYTE = 1024 * 1024;

describe('the elements of JSON', () => {
  it('are those of a list, in chunks of any size', async () => {
    const list = [{ a: 'é💥\n"' }, [1, [2]], 'x', 4.5, null, true, {}];
    for (const size of [1, 3, 64]) expect(await read(JSON.stringify(list, null, 1), size)).toEqual(list);
    expect(await read('[]')).toEqual([]);
  });

  it('are the one value of other texts', async () => {
    expect(await read('{"a":{"b":[1]}}')).toEqual([{ a: { b: [1] } }]);
    expect(await read(' \n {"a":1}')).toEqual([{ a: 1 }]);
  });

  it('are read behind a byte order mark', async () => {
    expect(await read('\ufeff[1,2]')).toEqual([1, 2]);
    expect(await read('\ufeff{"a":1}')).toEqual([{ a: 1 }]);
  });

  it.each(['hello', '[1,', '{"a":', '[1 2]', '["\\x"]', '<html>'])('are refused in %j', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ reason: 'broken' });
  });

  it('are none in an empty text', async () => {
    expect(await read('')).toEqual([]);
    expect(await read('  \n')).toEqual([]);
  });

  it('are those of the lists of an account, behind any number of others', async () => {
    const [threads, messages] = [
      [{ id: 1 }, { id: 2 }],
      [{ id: 3, content: 'é💥' }, 4],
    ];
    const account = {
      account: { threads: [5] },
      usage: [{ threads: [6] }, 7],
      threads,
      more: {},
      messages,
      shares: [],
    };
    const parts = [...threads, ...messages].map((accountPart) => ({ accountPart }));
    for (const size of [1, 7, 64]) expect(await read(JSON.stringify(account), size)).toEqual(parts);
    expect(await read(`\ufeff ${JSON.stringify(account, null, 2)}`, 3)).toEqual(parts);
    await expect(read(JSON.stringify(account).slice(0, -1))).rejects.toMatchObject({ reason: 'broken' });
  });

  it('are those of a list of conversations in an object', async () => {
    const conversations = [{ id: 'a' }, { id: 'b', conversations: [1] }];
    expect(await read(JSON.stringify({ conversations, user: { id: 1 } }))).toEqual(conversations);
    expect(await read('{ "conversations" : 4 }')).toEqual([]);
  });

  it('are read in an account of any size', async () => {
    const text = 'x'.repeat(MEGABYTE);
    const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, text }));
    const account = { account: {}, usage: rows(70), threads: [{ id: 1 }], messages: rows(40) };
    const values = await read(JSON.stringify(account), 64 * 1024);
    expect(values).toHaveLength(41);
    expect(values.at(-1)).toEqual({ accountPart: { id: 39, text } });
  });

  it('that are too large or too deep are left out, and the next ones are read', async () => {
    const large = `{"title":"Large","a":[${`"${'x'.repeat(40_000)}",`.repeat(900)}1],"title":"Later"}`;
    expect(large.length).toBeGreaterThan(33 * MEGABYTE);
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    expect(await read(`[1,${large},2,${deep},${deep},{"b":3}]`, 64 * 1024)).toEqual([
      1,
      { leftOut: 'Large' },
      2,
      { leftOut: '' },
      { leftOut: '' },
      { b: 3 },
    ]);
    expect(await read(large, 64 * 1024)).toEqual([{ leftOut: 'Large' }]);
  });

  it('of very many small values are left out', async () => {
    const values = await read(`[{"title":"Many","a":[${'{},'.repeat(1_300_000)}1]},2]`, 64 * 1024);
    expect(values).toEqual([{ leftOut: 'Many' }, 2]);
  });

  it('are read behind one of any size', async () => {
    const huge = `{"name":"Huge","a":[${`"${'x'.repeat(40_000)}",`.repeat(2_500)}1]}`;
    expect(huge.length).toBeGreaterThan(95 * MEGABYTE);
    expect(await read(`[${huge},2]`, 64 * 1024)).toEqual([{ leftOut: 'Huge' }, 2]);
  });

  it('end with an error when one has a string that is far too long', async () => {
    const endless = Readable.from(
      (function* () {
        yield Buffer.from('[1,"');
        for (let at = 0; at < 70; at += 1) yield Buffer.alloc(MEGABYTE, 'x');
      })(),
    );
    const elements = jsonElements(endless);
    expect((await elements.next()).value).toEqual({ value: 1 });
    await expect(elements.next()).rejects.toMatchObject({ reason: 'too-large' });
  });

  it('of an account that are too large are left out', async () => {
    const messages = [1, ['x'.repeat(33 * MEGABYTE)], 2];
    const values = await read(JSON.stringify({ account: {}, threads: [], messages }), 64 * 1024);
    expect(values).toEqual([{ accountPart: 1 }, { leftOut: '' }, { accountPart: 2 }]);
  });

  it('of a thread in an archive are read one by one', async () => {
    const [id, text] = [7, 'x'.repeat(MEGABYTE)];
    const messages = Array.from({ length: 70 }, () => ({ text }));
    const values = await read(JSON.stringify({ threads: [{ id }], messages }), 64 * 1024);
    expect(values[0]).toEqual({ accountPart: { id } });
    expect(values).toHaveLength(71);
  });

  it('end with the error of their source', async () => {
    const failing = Readable.from(
      (async function* () {
        yield Buffer.from('[1,');
        throw new Error('unreadable');
      })(),
    );
    const elements = jsonElements(failing);
    expect((await elements.next()).value).toEqual({ value: 1 });
    await expect(elements.next()).rejects.toMatchObject({ reason: 'broken' });
  });
});
