/** Addresses that lead out of a document. Scripts, files of its author's computer and places inside of it say nothing. */
const LEADS_OUT = /^(?:https?:\/\/|mailto:|tel:)\S/i;

/** What redirects through a server that counts or checks clicks: its address, with the real one in a parameter. */
const REDIRECTS: readonly [RegExp, string][] = [
  [/^https?:\/\/(?:www\.)?google\.[a-z.]{2,6}\/url\?/i, 'q'],
  [/^https?:\/\/[\w.-]{1,100}\.safelinks\.protection\.outlook\.com\//i, 'url'],
];

/** Characters of an address. Newsletters have longer ones, which only say who has clicked. */
const MAX_ADDRESS = 300;

/** Characters of the text of a link that are compared with its address. */
const MAX_TEXT = 2_000;

/** The real address behind a link as it is shown; '' for one that leads nowhere. */
export function shownAddress(given: string): string {
  const address = given.replace(/\s+/g, '');
  if (!LEADS_OUT.test(address)) return '';
  const parameter = REDIRECTS.find(([pattern]) => pattern.test(address))?.[1];
  const inner = parameter && (queryOf(address)?.get(parameter) ?? '');
  const real = inner && LEADS_OUT.test(inner) ? inner.replace(/\s+/g, '') : address;
  const plain = /^(?:mailto|tel):/i.test(real) ? unescaped(real.split('?')[0]!.replace(/^\w+:/, '')) : real;
  if (plain.length <= MAX_ADDRESS) return plain.replace(/[<>]/g, '');
  const [path = ''] = plain.split('?');
  return `${path.slice(0, MAX_ADDRESS)}${plain.length > path.length && path.length <= MAX_ADDRESS ? '?' : ''}…`;
}

function queryOf(address: string): URLSearchParams | undefined {
  const at = address.indexOf('?');
  return at < 0 ? undefined : new URLSearchParams(address.slice(at).replace(/&amp;/g, '&'));
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Characters that an address goes on with, beside letters and digits; after those of the second kind only where such follow. */
const GOES_ON = /^(?:[\p{L}\p{N}/?#&=%@_~]|[.:-][\p{L}\p{N}])/u;
const BEGINS_BEFORE = /[\p{L}\p{N}/@%_.-]$/u;

/** Beside a number, digits alone make it another one. */
const DIGITS_GO_ON = /^[\s().-]{0,2}\d/;
const DIGITS_BEFORE = /[\d+]$/;

/** The slash at the end of an address, and characters after one that are looked at. */
const LAST_SLASH = /^\/(?![\p{L}\p{N}/?#&=%@_~.:-])/u;
const AFTER = 6;

/** What may stand inside of an address in a text: the ends of lines, in numbers also what sets their digits apart. */
const BLANK = /\s/;
const BETWEEN_DIGITS = /[\s().\-/]/;
const BLANKS = /\s+/g;
const SEPARATORS = /[\s().\-/]+/g;

/** Whether a text says an address as such: in that of a longer one, its letters stand too. */
function saysAddress(text: string, address: string, isNumber: boolean): boolean {
  const shown = plainSpelling(text.slice(0, MAX_TEXT));
  const between = isNumber ? BETWEEN_DIGITS : BLANK;
  const bare = (spelled: string): string => spelled.replace(isNumber ? SEPARATORS : BLANKS, '');
  const own = bare(plainSpelling(address).replace(/\/$/, ''));
  if (own === '') return true;
  // Most texts say nothing like it, and its place takes time to find.
  if (!bare(shown).includes(own)) return false;
  const [begins, goesOn] = isNumber ? [DIGITS_BEFORE, DIGITS_GO_ON] : [BEGINS_BEFORE, GOES_ON];
  for (let at = shown.indexOf(own[0]!); at !== -1; at = shown.indexOf(own[0]!, at + 1)) {
    const end = begins.test(shown.slice(Math.max(0, at - 1), at)) ? null : endOf(shown, at, own, between);
    if (end !== null && !goesOn.test(shown.slice(end, end + AFTER).replace(LAST_SLASH, ''))) return true;
  }
  return false;
}

/** Where an address ends that begins at a place of a text; null where it does not stand there. */
function endOf(text: string, start: number, address: string, between: RegExp): number | null {
  let at = start;
  for (const character of address) {
    while (at > start && at < text.length && between.test(text[at]!)) at += 1;
    if (!text.startsWith(character, at)) return null;
    at += character.length;
  }
  return at;
}

/** A text without what two spellings of an address differ in. */
const plainSpelling = (text: string): string =>
  text.toLowerCase().replace(/https?:\/\/(?:www\.)?|mailto:|tel:|\bwww\./g, '');

/** What stands behind the text of a link: ` <https://example.com>`; '' where the text says it, or is none. */
export function addressBehind(text: string, given: string): string {
  if (!/\S/.test(text)) return '';
  const address = shownAddress(given);
  return address === '' || saysAddress(text, address, /^\s*tel:/i.test(given)) ? '' : ` <${address}>`;
}

/** The address in the instruction of a field: `HYPERLINK "https://example.com" \t "_blank"`. */
const FIELD = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]\S*))/i;

/** Instructions are short. */
const MAX_INSTRUCTION = 5_000;

/** Links of a document while it is read, the outer ones first. */
export class OpenLinks {
  private readonly links: { address: string; text: string }[] = [];

  start(address: string | undefined): void {
    this.links.push({ address: address ?? '', text: '' });
  }

  /** @returns whether the instruction of a field has begun a link */
  startField(instruction: string): boolean {
    const found = instruction.length > MAX_INSTRUCTION ? null : FIELD.exec(instruction);
    if (found === null) return false;
    this.start(found[1] ?? found[2]);
    return true;
  }

  add(text: string): void {
    const last = this.links.at(-1);
    if (last !== undefined && last.text.length < MAX_TEXT) last.text += text;
  }

  /** @returns what stands behind the text of the last link */
  end(): string {
    const last = this.links.pop();
    return last === undefined ? '' : addressBehind(last.text, last.address);
  }
}
