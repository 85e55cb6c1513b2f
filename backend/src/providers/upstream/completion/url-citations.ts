import { type Fields, isFields } from '../../../platform/json/fields.js';
import { type ProviderEvent, SOURCE_BOUNDS } from '../../provider.js';

type SourceEvent = Extract<ProviderEvent, { type: 'source' }>;

/** Sources of one answer. */
const MAX_SOURCES = 50;

/** Levels and values in which pages are looked for. */
const MAX_DEPTH = 8;
const MAX_VALUES = 2_000;

/**
 * Fields with pages, beside the choices, in a choice or in its delta: of OpenAI, Perplexity, xAI, Z.AI, Volcengine, Open WebUI,
 * Hunyuan, Groq, Azure, LiteLLM, gateways of Gemini and Venice.
 */
const FIELDS = [
  ...['annotations', 'search_results', 'citations', 'web_search', 'references', 'sources', 'search_info'],
  ...['executed_tools', 'context', 'provider_specific_fields', 'vertex_ai_grounding_metadata'],
  ...['groundingMetadata', 'grounding_metadata', 'venice_parameters'],
];

const IS_FIELD = new Set(FIELDS);

const NONE: readonly SourceEvent[] = [];

const ADDRESSES = ['url', 'link', 'uri', 'source'];
const TITLES = ['title', 'name'];
const SNIPPETS = ['content', 'snippet', 'cited_text', 'text'];

/** Names of what is no page: pictures beside a page, and what a search was asked. */
const NO_PAGES = /image|icon|logo|thumbnail|arguments/i;

/** Collects the sources that a provider cites, each address once. Fields may have any type. */
export class UrlCitations {
  private readonly seen = new Set<string>();

  /** The new sources in the fields of a chunk, a choice or a delta. */
  push(place: object): readonly SourceEvent[] {
    // Each look for a field that is absent takes time, and most chunks have none of them.
    if (!hasField(place)) return NONE;
    const found: SourceEvent[] = [];
    let values = 0;
    const visit = (value: unknown, depth: number): void => {
      if ((values += 1) > MAX_VALUES || depth > MAX_DEPTH || this.seen.size >= MAX_SOURCES) return;
      if (Array.isArray(value)) {
        // Addresses alone, or pages.
        for (const entry of value as unknown[]) visit(typeof entry === 'string' ? { url: entry } : entry, depth + 1);
      } else if (isFields(value) && !this.add(value, found)) {
        for (const [name, inner] of Object.entries(value))
          if (typeof inner === 'object' && inner !== null && !NO_PAGES.test(name)) visit(inner, depth + 1);
      }
    };
    for (const name of FIELDS) {
      const pages = (place as Fields)[name];
      if (typeof pages === 'object' && pages !== null) visit(pages, 0);
    }
    return found;
  }

  /** Adds the source that an object is. @returns whether it is one */
  private add(page: Fields, found: SourceEvent[]): boolean {
    const url = ADDRESSES.map((name) => page[name]).find((value) => typeof value === 'string' && value !== '');
    if (typeof url !== 'string') return false;
    if (this.seen.has(url)) return true;
    if (!isWebAddress(url)) return false;
    this.seen.add(url);
    const title = textIn(page, TITLES).slice(0, SOURCE_BOUNDS.title) || new URL(url).hostname;
    const snippet = textIn(page, SNIPPETS).slice(0, SOURCE_BOUNDS.snippet);
    found.push({ type: 'source', url, title, ...(snippet === '' ? {} : { snippet }) });
    return true;
  }
}

function hasField(place: object): boolean {
  for (const name in place) if (IS_FIELD.has(name)) return true;
  return false;
}

const isWebAddress = (url: string): boolean =>
  url.length <= SOURCE_BOUNDS.url && /^https?:/i.test(url) && URL.canParse(url);

const textIn = (page: Fields, names: readonly string[]): string =>
  names.map((name) => page[name]).find((value): value is string => typeof value === 'string' && value !== '') ?? '';
