/** Codes of one chunk or of one question. */
const MAX_CODES = 200;

const TOKEN = /[\p{L}\p{N}]+(?:[-./_:][\p{L}\p{N}]+)*/gu;

const SEPARATORS = /[-./_:]/g;

/**
 * The codes in a text, such as numbers of invoices and articles: tokens of at least three characters with a digit, in lower
 * case and without separators, each once. `INV-2024/0091` is `inv20240091`.
 */
export function codesIn(text: string): string[] {
  const codes = new Set<string>();
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.length > 64 || !/\p{N}/u.test(token)) continue;
    const code = token.replace(SEPARATORS, '').toLowerCase();
    if (code.length >= 3) codes.add(code);
    if (codes.size === MAX_CODES) break;
  }
  return [...codes];
}
