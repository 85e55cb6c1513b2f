import { MAX_RESULT_BYTES } from '../cut-text.js';
import { KEPT_TEXT, LongTexts } from './long-texts.js';

/** The JSON in pieces of a size. */
function cutInPieces(json: string, size: number): string {
  const texts = new LongTexts();
  const bytes = Buffer.from(json);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(texts.cut(bytes.subarray(at, at + size)));
  return Buffer.concat(pieces).toString('utf8');
}

describe('LongTexts', () => {
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

  it('leaves short texts as they are', () => {
    const json = JSON.stringify({ a: 'b\\"c', 'd"': ['\\', ''] });
    expect(cutInPieces(json, 3)).toBe(json);
  });

  it('reads each event of a stream, after a comment with an open quotation mark too', () => {
    const event = `data: ${JSON.stringify({ data: 'x'.repeat(2 * KEPT_TEXT), text: 'kept' })}\n\n`;
    const lines = cutInPieces(`: 5" of rain\n\n${event}${event}`, 1_000).split('\n');
    const events = lines.filter((line) => line.startsWith('data: ')).map((line) => JSON.parse(line.slice(6)) as object);
    expect(events).toEqual([
      { data: 'x'.repeat(KEPT_TEXT), text: 'kept' },
      { data: 'x'.repeat(KEPT_TEXT), text: 'kept' },
    ]);
  });
});
