import { sizeText } from './size-text';

const MB = 1024 * 1024;

test('a file size is shown in bytes, kilobytes or megabytes', () => {
  expect([sizeText(10), sizeText(2048), sizeText(1.5 * MB)]).toEqual(['10 B', '2 KB', '1.5 MB']);
});
