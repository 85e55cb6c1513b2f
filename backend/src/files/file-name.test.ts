import { TEXTS, trimEndOf, trimOf } from '@tanya/contract';
import { cleanFileName, contentDisposition, extensionOf, fileIdOf, isFileId } from './file-name.js';

const ID = '0b1c2d3e-0000-4000-8000-0123456789ab';

describe('cleanFileName', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['C:\\Users\\ani\\Foto.PNG', 'Foto.PNG'],
    ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie: x=1.txt'],
    ['photo.png. ', 'photo.png'],
    ['invoice\u202egnp.exe', 'invoicegnp.exe'],
    ['\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061ca.txt', 'a.txt'],
    ['a\u2028b\u2029c\x7f\x85.txt', 'abc.txt'],
    ['a\0b.txt', 'ab.txt'],
    ['\ud800x.txt', '\ufffdx.txt'],
    ['🎉 ulang tahun.md', '🎉 ulang tahun.md'],
    ['Re\u0301sume\u0301.pdf', 'R\u00e9sum\u00e9.pdf'],
    ['', TEXTS.defaults.fileName],
    ['../..', TEXTS.defaults.fileName],
  ])('%j becomes %j', (given, name) => {
    expect(cleanFileName(given)).toBe(name);
  });

  it.each([300, 10_000, 1_000_000])('keeps the extension of a name of %d characters', (length) => {
    const name = cleanFileName(`/a/b${'x'.repeat(length)}.docx. `);
    expect(name).toHaveLength(255);
    expect(name).toMatch(/^bx+\.docx$/);
    expect(extensionOf(name)).toBe('docx');
  });
});

it('accepts file ids and file URLs, and rejects similar strings', () => {
  expect(fileIdOf(`/api/files/${ID}`)).toBe(ID);
  expect(fileIdOf(ID.toUpperCase())).toBe(ID);
  for (const other of ['', '1', `/api/files/${ID}/..`, `https://x/api/files/${ID}`, `/api/files/../${ID}`]) {
    expect(fileIdOf(other)).toBeNull();
  }
  expect(isFileId('../'.repeat(12))).toBe(false);
});

it('escapes file names in Content-Disposition (UP-5)', () => {
  const header = contentDisposition('attachment', `"><img src=x onerror=1>'*(é🎉)\\.txt`);
  expect(header).toMatch(/^attachment; filename="[^"\\]*"; filename\*=UTF-8''[A-Za-z0-9%._~!-]+$/);
  expect(decodeURIComponent(header.split("''")[1]!)).toBe(`"><img src=x onerror=1>'*(é🎉)\\.txt`);
});

it.each([
  ['a.b. . ', '. ', 'a.b'],
  ['...', '.', ''],
  ['', '.', ''],
])('removes the end of %j: %j', (text, characters, expected) => {
  expect(trimEndOf(text, characters)).toBe(expected);
});

it.each([
  ['//a/b/', '/', 'a/b'],
  ['-*-', '-*', ''],
  [' a', '-', ' a'],
])('removes both ends of %j: %j', (text, characters, expected) => {
  expect(trimOf(text, characters)).toBe(expected);
});
