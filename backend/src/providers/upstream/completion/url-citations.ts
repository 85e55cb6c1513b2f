import type { ProviderEvent } from '../../provider.js';

type SourceEvent = Extract<ProviderEvent, { type: 'source' }>;

/** Sources of one answer, and characters of their fields. */
const MAX_SOURCES = 50;
const MAX_URL = 2_048;
const MAX_TITLE = 300;
const MAX_SNIPPET = 1_000;

/** Collects the sources that a provider cites, each address once. Fields may have any type. */
export class UrlCitations {
  private readonly seen = new Set<string>();

  /** The new sources in the annotations of one delta. */
  push(annotations: unknown): SourceEvent[] {
    if (!Array.isArray(annotations)) return [];
    return annotations.flatMap((annotation: unknown) =>
      isRecord(annotation) ? this.sourceOf(annotation['url_citation'] ?? annotation) : [],
    );
  }

  /** The new sources in a list of pages, or of their addresses, beside the choices. */
  pushPages(pages: unknown): SourceEvent[] {
    if (!Array.isArray(pages)) return [];
    return pages.slice(0, MAX_SOURCES).flatMap((page: unknown) => this.sourceOf(isRecord(page) ? page : { url: page }));
  }

  private sourceOf(citation: unknown): SourceEvent[] {
    const url = isRecord(citation) ? textOf(citation['url'] ?? citation['link']) : '';
    if (!isRecord(citation) || !isWebAddress(url)) return [];
    if (this.seen.has(url) || this.seen.size === MAX_SOURCES) return [];
    this.seen.add(url);
    const title = textOf(citation['title']).slice(0, MAX_TITLE) || new URL(url).hostname;
    const snippet = textOf(citation['content'] ?? citation['snippet']).slice(0, MAX_SNIPPET);
    return [{ type: 'source', url, title, ...(snippet === '' ? {} : { snippet }) }];
  }
}

const isWebAddress = (url: string): boolean => url.length <= MAX_URL && /^https?:/i.test(url) && URL.canParse(url);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
