import { type Fields, isFields } from '../../platform/json/fields.js';
import { SOURCE_BOUNDS } from '../../providers/provider.js';

const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", nbsp: ' ' }));

/** A web address in its normal form; null for anything else. */
function httpAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > SOURCE_BOUNDS.url || !URL.canParse(value)) return null;
  const { protocol, href, username, password } = new URL(value);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' ? href : null;
}

/** Plain text of a title or snippet, which services may send with markup; '' for other values. */
function cleanSnippet(value: unknown, maxLength: number): string {
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

export interface SearchResult {
  url: string;
  title: string;
  snippet?: string;
}

export interface SearchClient {
  /** The only origin that may have a private address, because an admin entered it; null for public services. */
  trustedOrigin: string | null;
  request(query: string, count: number): SearchRequest;
  /** @returns null for a body of another form */
  read(body: unknown): SearchResult[] | null;
}

export interface SearchRequest {
  url: URL;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

const MAX_TITLE = 200;
const MAX_SNIPPET = 500;

/** Makes a result of the fields of an entry; null for one without a usable address. */
export function toResult(address: unknown, title: unknown, snippet: unknown): SearchResult | null {
  const url = httpAddress(address);
  if (url === null) return null;
  const text = cleanSnippet(snippet, MAX_SNIPPET);
  return {
    url,
    title: cleanSnippet(title, MAX_TITLE) || new URL(url).hostname,
    ...(text === '' ? {} : { snippet: text }),
  };
}

export function listAt(body: unknown, ...path: string[]): Fields[] | null {
  let value = body;
  for (const name of path) {
    if (!isFields(value)) return null;
    value = value[name];
  }
  return Array.isArray(value) ? value.filter(isFields) : null;
}

export const isResult = (result: SearchResult | null): result is SearchResult => result !== null;
