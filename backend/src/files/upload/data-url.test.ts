import { PIECE_CHARACTERS } from '../../platform/system/slices.js';
import { parseDataUrl } from './data-url.js';

const decoded = async (text: string) => (await parseDataUrl(`data:text/plain,${text}`)).bytes.toString();

it('has its type and its bytes, in base64 and with escapes', async () => {
  const expected = { type: 'image/png', bytes: Buffer.from([0x89, 0x50]) };
  for (const payload of [';base64,iVA=', ',%89P', ';x=y,%89%50'])
    expect(await parseDataUrl(`data:Image/PNG${payload}`)).toEqual(expected);
  expect(await decoded('caf%C3%a9 \u{1f6a2}%f0%9F%9a%A2')).toBe('caf\u00e9 \u{1f6a2}\u{1f6a2}');
});

it.each([
  '; codecs=opus;base64',
  ';codecs=vp8,opus;base64',
  ';codecs="vp8, opus"; x="a;b,c" ; base64',
  ' ;x= ;base64 ',
  ';codecs=vp8%2Copus;base64',
  ";codecs='opus';base64",
  ';name=a "b".pdf;base64',
])('has its bytes behind the parameters %j', async (parameters) => {
  const url = `data:audio/ogg${parameters},iVA=`;
  expect(await parseDataUrl(url)).toEqual({ type: 'audio/ogg', bytes: Buffer.from([0x89, 0x50]) });
});

it('has the data URL in its text as text', async () => {
  const { bytes } = await parseDataUrl('data:text/css;charset=utf-8,a{background:url(data:image/png;base64,iVA=)}');
  expect(bytes.toString()).toBe('a{background:url(data:image/png;base64,iVA=)}');
  expect((await parseDataUrl('data:text/plain;codecs=a,b,c')).bytes.toString()).toBe('b,c');
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
  ['codecs without an end', `data:audio/ogg${';codecs=a '.repeat(85)}"`],
  ['parameters without an end', `data:audio/ogg${'; x= '.repeat(190)}"`],
  ['a long head', `data:text/plain;x=${'y'.repeat(1_000)},a`],
])('is refused with %s', async (_, text) => {
  await expect(parseDataUrl(text)).rejects.toMatchObject({ code: 'invalid' });
});
