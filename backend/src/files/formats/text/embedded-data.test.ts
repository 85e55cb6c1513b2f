import { withoutData } from './embedded-data.js';

const data = (length: number) => 'iVBORw0K/+'.repeat(length / 10);
const shown = (text: string) => [...withoutData(text)].join('');

it.each([
  ['Markdown', 'Plan ![][image1]\n\n[image1]: <data:image/png;base64,', '>\n'],
  ['a page', '<p>Plan</p><img src="data:image/jpeg;base64,', '" alt="x"> after'],
  ['a book', '<p>Plan</p><binary id="c.jpg" content-type="image/jpeg">', '</binary></FictionBook>'],
  ['a contact', 'FN:Ani\nPHOTO;ENCODING=b;TYPE=JPEG:', '\nEND:VCARD'],
])('leaves out pictures in the text of %s', (_, before, after) => {
  expect(shown(before + data(200_000) + after)).toBe(`${before}[200000 characters of data]${after}`);
});

it('leaves out data over several lines, and keeps what comes after it', () => {
  const lines = `${data(70)}\n ${data(70)}\r\n`.repeat(10);
  expect(shown(`PHOTO;ENCODING=BASE64:\n ${lines}END:VCARD`)).toMatch(
    /^PHOTO;ENCODING=BASE64:\[14\d\d characters of data\]\r\nEND:VCARD$/,
  );
});

it('leaves out data with the escaped slashes of JSON', () => {
  expect(shown(`{"photo":"data:image\\/png;base64,${data(1_000).replaceAll('/', '\\/')}"}`)).toBe(
    '{"photo":"data:image\\/png;base64,[1100 characters of data]"}',
  );
});

it('keeps short data, and texts without any', () => {
  const icon = `url(data:image/gif;base64,${data(500)})`;
  expect(shown(icon)).toBe(icon);
  expect(shown('')).toBe('');
  const words = 'a word '.repeat(100_000);
  expect(shown(words)).toBe(words);
});

it('finds data wherever it begins', () => {
  for (const space of [65_200, 65_530, 65_536, 65_540]) {
    const text = `${' '.repeat(space)};base64,${data(1_000)}.`;
    expect(shown(text).trimStart()).toBe(';base64,[1000 characters of data].');
  }
});
