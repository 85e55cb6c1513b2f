import { TEXTS } from '@tanya/contract';
import { AppError } from '../../platform/errors/app-error.js';
import { requireContent } from './chat.dto.js';

const FILE_URL = '/api/files/0b1c2d3e-0000-4000-8000-0123456789ab';

const nameOf = (fileName: string) => requireContent({ text: '', fileUrl: FILE_URL, fileName }).fileName;

it('an attachment gets a safe file name in place of the name sent by the client', () => {
  expect(nameOf('invoice\u202egnp.exe')).toBe('invoicegnp.exe');
  expect(nameOf('../a\0\n.txt')).toBe('a.txt');
  expect(nameOf('')).toBe(TEXTS.defaults.fileName);
});

it('a text loses its null characters and unpaired surrogates', () => {
  expect(requireContent({ text: 'a\0b\ud800' }).text).toBe('ab\ufffd');
});

it('a message without content, or with files of another site, is refused', () => {
  for (const content of [{ text: ' ' }, { text: 'x', fileUrl: 'https://example.org/x' }, { text: 'x', imageData: '1' }])
    expect(() => requireContent(content)).toThrow(AppError);
});
