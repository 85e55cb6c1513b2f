import { MAX_RESULT_BYTES } from '../cut-text.js';
import { JsonTrim, KEPT_TEXT, type TrimBounds } from './json-trim.js';

const BOUNDS: TrimBounds = { depth: 8, level: 2, bytes: 4_000 };

/** The JSON, or the stream, in pieces of a size. */
function cutInPieces(json: string, size: number, isStream = false, bounds = BOUNDS): string {
  const texts = new JsonTrim(bounds, isStream);
  const bytes = Buffer.from(json);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(texts.trim(bytes.subarray(at, at + size)));
  return Buffer.concat(pieces).toString('utf8');
}

describe('JsonTrim', () => {
  it.each([
    ['letters', 'x'],
    ['escapes', '\n'],
    ['escapes of a code unit', '\u0001'],
    ['quotation marks', '"'],
    ['backslashes', '\\'],
    ['Japanese', '日'],
    ['emoji', '💥'],
  ])('keeps the beginning of a long text of %s and all around it', (_, character) => {
    const long = character.repeat(KEPT_TEXT);
    const value = { before: 'text', data: long, list: [1, long, { after: 'text "quoted"' }] };
    for (const size of [1_000_000, 4_096, 777]) {
      const read = JSON.parse(cutInPieces(JSON.stringify(value), size)) as typeof value;
      expect(read).toEqual({
        before: 'text',
        data: expect.any(String) as string,
        list: [1, read.data, { after: 'text "quoted"' }],
      });
      expect(long.startsWith(read.data)).toBe(true);
      expect(Buffer.byteLength(JSON.stringify(read.data))).toBeLessThan(KEPT_TEXT + 16);
      expect(Buffer.byteLength(JSON.stringify(read.data))).toBeGreaterThan(KEPT_TEXT - 16);
    }
  });

  it('keeps more than a result may have of a text of escapes, so that its cut is marked', () => {
    const { text } = JSON.parse(cutInPieces(`{"text":"${'\\u0434'.repeat(KEPT_TEXT)}"}`, 4_096)) as { text: string };
    expect(Buffer.byteLength(text)).toBeGreaterThan(MAX_RESULT_BYTES);
  });

  it('keeps less of each text after the first megabyte of them, and all around it', () => {
    const long = 'x'.repeat(KEPT_TEXT);
    const texts = JSON.parse(cutInPieces(JSON.stringify([...Array<string>(30).fill(long), 'end']), 65_536)) as string[];
    expect(texts).toHaveLength(31);
    expect([texts[0]!.length, texts[29]!.length, texts[30]]).toEqual([KEPT_TEXT, MAX_RESULT_BYTES + 1, 'end']);
  });

  it('leaves short texts as they are', () => {
    const json = JSON.stringify({ a: 'b\\"c', 'd"': ['\\', ''] });
    expect(cutInPieces(json, 3)).toBe(json);
  });

  it('reads each event of a stream, after a comment with an open quotation mark too', () => {
    const event = `data: ${JSON.stringify({ data: 'x'.repeat(2 * KEPT_TEXT), text: 'kept' })}\n\n`;
    const lines = cutInPieces(`: 5" of rain\n\n${event}${event}`, 1_000, true).split('\n');
    const events = lines.filter((line) => line.startsWith('data: ')).map((line) => JSON.parse(line.slice(6)) as object);
    expect(events).toEqual([
      { data: 'x'.repeat(KEPT_TEXT), text: 'kept' },
      { data: 'x'.repeat(KEPT_TEXT), text: 'kept' },
    ]);
  });

  const many = Array.from({ length: 5_000 }, (_, index) => ({ index }));
  const answer = (result: object) => ({ jsonrpc: '2.0', id: 1, result });
  const read = (value: object, size: number, bounds = BOUNDS) =>
    JSON.parse(cutInPieces(JSON.stringify(value), size, false, bounds)) as { result: Record<string, unknown> };

  it.each([1, 7, 4_096, 1_000_000])(
    'keeps the beginning of a large value and all after it, in pieces of %i',
    (size) => {
      const { result } = read(answer({ a: many, b: { list: many }, c: [1, 'kept'] }), size);
      const kept = result['a'] as object[];
      expect(kept.length).toBeGreaterThan(100);
      expect(many.slice(0, kept.length)).toEqual(kept);
      expect(result['b']).toEqual({ list: expect.any(Array) as object[] });
      expect(result['c']).toEqual([1, 'kept']);
    },
  );

  it.each([1, 7, 4_096])('replaces what is nested too deeply, in pieces of %i', (size) => {
    const deep = `${'['.repeat(5_000)}"]}"${']'.repeat(5_000)}`;
    const text = `{"jsonrpc":"2.0","id":1,"result":{"a":${deep},"b":{"c":${deep}},"d":"kept"}}`;
    const { result } = JSON.parse(cutInPieces(text, size)) as ReturnType<typeof read>;
    expect(JSON.stringify(result)).toMatch(
      /^\{"a":\[+"\[nested too deeply: not shown\]"\]+,"b":\{"c":\[.*"d":"kept"\}$/,
    );
  });

  it('bounds each entry of a list by itself', () => {
    const bounds = { depth: 8, level: 4, bytes: 1_000 };
    const tools = [{ name: 'a' }, { name: 'b', large: { many }, after: { list: many } }, { name: 'c', list: [1] }];
    const { result } = read(answer({ tools }), 100, bounds);
    const kept = result['tools'] as Record<string, unknown>[];
    expect(kept.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(kept[1]).toEqual({ name: 'b', large: { many: expect.any(Array) }, after: { list: expect.any(Array) } });
    expect(JSON.stringify(kept[1]!['after']).length).toBeGreaterThan(1_000);
  });

  it.each(['\n', '\r\n', '\r'])('reads the events of a stream with the line ends %j', (lineEnd) => {
    const lines = JSON.stringify(answer({ a: many, c: 'kept' }), null, 1).split('\n');
    const stream = [': [{', ...lines.map((line) => `data: ${line}`), '', 'data: {"id":2}', '', ''].join(lineEnd);
    for (const size of [1, 3, 1_000]) {
      const data = cutInPieces(stream, size, true)
        .split(lineEnd)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.replace(/^data: ?/, ''));
      expect(data.at(-1)).toBe('{"id":2}');
      expect(JSON.parse(data.slice(0, -1).join('\n'))).toMatchObject(answer({ c: 'kept' }));
    }
  });
});
