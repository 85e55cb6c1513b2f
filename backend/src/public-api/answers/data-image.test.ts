import { Slices } from '../../platform/system/slices.js';
import { imageDataUrl } from './data-image.js';

it.each([
  ['data:image/png;base64,iVBORw==', 'data:image/png;base64,iVBORw=='],
  ['data:image/jpeg;base64,/9j/', 'data:image/jpeg;base64,/9j/'],
  ['data:image/jpg;base64,/9j/', 'data:image/jpeg;base64,/9j/'],
  ['data:image/pjpeg;base64,/9j/', 'data:image/jpeg;base64,/9j/'],
  // As the command base64 and mail programs write it.
  ['data:image/png;base64,iVBO\nRw==\n', 'data:image/png;base64,iVBORw=='],
  ['data:image/png;base64,\r\n iVBO\r\n Rw==', 'data:image/png;base64,iVBORw=='],
  ['DATA:Image/JPG;Base64,/9j/', 'data:image/jpeg;base64,/9j/'],
  ['data:image/webp;charset=utf-8;base64,UklG', 'data:image/webp;base64,UklG'],
  ['data:image/gif;name=a b.gif;charset=binary;base64,R0lG', 'data:image/gif;base64,R0lG'],
])('accepts %s', async (url, usual) => {
  expect(await imageDataUrl(url, new Slices())).toBe(usual);
});

it.each([
  'https://example.com/cat.png',
  'data:image/svg+xml;base64,PHN2Zz4=',
  'data:text/html;base64,PGI+',
  'data:image/png,iVBORw==',
  'data:image/png;base64,',
  'data:image/png;base64,iVB ORw',
  'data:image/png;base64,\n',
  'data:image/png;base64,iVB\n?Rw',
  'data:;base64,iVBORw==',
  'data:constructor;base64,iVBORw==',
  `data:image/png;x=${'y'.repeat(300)};base64,iVBORw==`,
  '',
  7,
  null,
  undefined,
])('refuses %s', async (url) => {
  expect(await imageDataUrl(url, new Slices())).toBeNull();
});

it.each(['\n', '\r\n', `\n${'\t '.repeat(20)}`, '\r\n '.repeat(50)])(
  'reads a large picture with %j between lines',
  async (end) => {
    const read = await imageDataUrl(`data:image/png;base64,${`${'A'.repeat(76)}${end}`.repeat(10_000)}`, new Slices());
    expect(read).toBe(`data:image/png;base64,${'A'.repeat(760_000)}`);
  },
);
