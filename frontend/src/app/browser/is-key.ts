/**
 * Whether the key of a sign is pressed. On a layout with other letters, such as Cyrillic ones, the place of the key counts;
 * on other Latin layouts it does not, because they have the letter elsewhere.
 */
export function isKey({ key, code }: KeyboardEvent, sign: string): boolean {
  return key.toLowerCase() === sign.toLowerCase() || (key > '~' && code === `Key${sign.toUpperCase()}`);
}
