/** Characters of a secret at least. */
export const SECRET_LENGTH = 32;

/** 32 characters without a comma, a comma, and 32 more: a shorter text with commas is one secret, such as a passphrase. */
const LIST = /^([^,]{32,}),(.{32,})$/s;

/**
 * The secrets of a value of APP_SECRET, a secret or a list: the current one, then earlier ones. The whole of a list is an
 * earlier one too: a secret from before lists could look like one, and its values still open then.
 */
export function secretsIn(value: string): [current: string, ...earlier: string[]] {
  const [, current, earlier] = LIST.exec(value) ?? [];
  if (current === undefined || earlier === undefined) return [value];
  return [current.trim(), ...secretsIn(earlier.trim()), value];
}
