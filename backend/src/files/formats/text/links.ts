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

/** What two spellings of an address have in common. */
const comparable = (text: string): string =>
  text
    .toLowerCase()
    .replace(/https?:\/\/|mailto:|tel:|www\.|[\s()-]+/g, '')
    .replace(/\/$/, '');

/** What stands behind the text of a link: ` <https://example.com>`; '' where the text says it, or is none. */
export function addressBehind(text: string, given: string): string {
  if (!/\S/.test(text)) return '';
  const address = shownAddress(given);
  const own = comparable(address);
  return own === '' || comparable(text.slice(0, MAX_TEXT)).includes(own) ? '' : ` <${address}>`;
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
