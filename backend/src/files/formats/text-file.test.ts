import { decodeAnyText } from './text-file.js';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

it.each([
  ['words of Western Europe', bytes('Caf', [0xe9], ' au lait\n'), 'Café au lait\n', 'Windows-1252'],
  ['lines of UTF-8 before others', bytes('José,León\nRen', [0xe9], 'e\n'), 'José,León\nRenée\n', 'Windows-1252'],
  ['ISO-2022-JP, all of whose bytes are ASCII', bytes('\x1b$BF|K\\8l\x1b(B\n'), '日本語\n', 'ISO-2022-JP'],
  [
    'Polish of ISO-8859-2',
    bytes(
      'Za',
      [0xbf],
      [0xf3, 0xb3, 0xe6],
      ' g',
      [0xea, 0xb6],
      'l',
      [0xb1],
      ' ja',
      [0xbc, 0xf1],
      ', prosz',
      [0xea],
      '\n',
    ),
    'Zażółć gęślą jaźń, proszę\n',
    'ISO-8859-2',
  ],
  [
    'UTF-16 without a mark whose letters have low bytes of control characters',
    Buffer.from('Xin chào thế giới, đây là văn bản\n', 'utf16le'),
    'Xin chào thế giới, đây là văn bản\n',
    'UTF-16',
  ],
  ['UTF-8 with escapes of a terminal', bytes('\x1b(BGröße ✓\x1b(B\n'), '\x1b(BGröße ✓\x1b(B\n', null],
  ['ASCII with escapes of a terminal', bytes('\x1b(Bok\x1b(B\n'), '\x1b(Bok\x1b(B\n', null],
  ['UTF-8 with a bad byte', bytes('José, León', [0xe9], '\n'), 'José, León\ufffd\n', null],
])('decodes %s', (_, given, text, guessed) => {
  expect(decodeAnyText(given)).toEqual({ text, guessed });
});
