const MAX_ADDRESS = 2_048;

const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", nbsp: ' ' }));

/** A web address in its normal form; null for anything else. */
export function httpAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS || !URL.canParse(value)) return null;
  const { protocol, href, username, password } = new URL(value);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' ? href : null;
}

/** Plain text of a title or snippet, which services may send with markup; '' for other values. */
export function cleanSnippet(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  const plain = value
    .slice(0, 20 * maxLength)
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(#?\w{1,8});/g, (entity, name: string) => ENTITIES.get(name.toLowerCase()) ?? entity)
    .replaceAll('\0', '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.slice(0, maxLength).toWellFormed();
}
