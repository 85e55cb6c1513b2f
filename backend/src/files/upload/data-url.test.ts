import { PIECE_CHARACTERS } from '../../platform/system/slices.js';
import { parseDataUrl } from './data-url.js';

const decoded = async (text: string) => (await parseDataUrl(`data:text/plain,${text}`)).bytes.toString();

it('has its type and its bytes, in base64 and with escapes', async () => {
  const expected = { type: 'image/png', bytes: Buffer.from([0x89, 0x50]) };
  for (const payload of [';base64,iVA=', ',%89P', ';x=y,%89%50'])
    expect(await parseDataUrl(`data:Image/PNG${payload}`)).toEqual(expected);
  expect(await decoded('caf%C3%a9 \u{1f6a2}%f0%9F%9a%A2')).toBe('caf\u00e9 \u{1f6a2}\u{1f6a2}');
});

it('is decoded in pieces that cut neither an escape nor a character', async () => {
  for (const unit of ['%F0%9F%9A%A2', '\u{1f6a2}', '\u00e9'])
    for (let shift = 0; shift < 13; shift += 1) {
      const count = Math.ceil(PIECE_CHARACTERS / unit.length) + 1;
      const text = 'x'.repeat(shift) + unit.repeat(count);
      expect((await decoded(text)) === decodeURIComponent(text)).toBe(true);
    }
});

it.each(['%', '%4', '%4g', '%g4', 'a%', '%%41', '%\u00e9'])('is refused with the broken escape %j', async (text) => {
  await expect(decoded(text)).rejects.toMatchObject({ code: 'invalid' });
});

it.each([
  ['no head', 'text'],
  ['no comma', 'data:'],
  ['a type alone', 'data:text/plain'],
  ['a long head', `data:text/plain;x=${'y'.repeat(1_000)},a`],
])('is refused with %s', async (_, text) => {
  await expect(parseDataUrl(text)).rejects.toMatchObject({ code: 'invalid' });
});
