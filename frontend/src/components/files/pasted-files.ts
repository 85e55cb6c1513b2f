/**
 * The files of a paste; none if its text is meant. Office programs add a picture of copied text. A copied file on macOS
 * has its name as plain text, but no formatted text.
 */
export function pastedFiles(clipboard: DataTransfer): File[] {
  const files = [...clipboard.files];
  const isFormatted = clipboard.types.some((type) => /^text\/(html|rtf)$/.test(type));
  const isPicture = files.every(({ type }) => type.startsWith('image/'));
  return isFormatted && isPicture && clipboard.getData('text/plain').trim() !== '' ? [] : files;
}
