import { formatTable } from './html-table.js';
import { Readability } from '@mozilla/readability';
import htmlEncodingSniffer from 'html-encoding-sniffer';
import { type FormatCallback, type HtmlToTextOptions, htmlToText } from 'html-to-text';
import { parseHTML } from 'linkedom';
import { raised } from './text/looks.js';

/** Larger documents are converted as a whole: scoring their elements takes too long. */
const MAX_SCORED_ELEMENTS = 30_000;
/** So are deeper ones: the time of scoring is quadratic in the depth, a second at 5,000. */
const MAX_SCORED_DEPTH = 1_000;
/** A found article with less text than this share of the page is probably not the content, such as a cookie notice. */
const LEAST_SHARE = 0.1;

/** Elements without text for readers. */
const UNREADABLE = 'script,style,noscript,template,svg,canvas,iframe,object,embed,nav,aside,footer,dialog,[hidden]';

const skipped = (...names: string[]) => names.map((selector) => ({ selector, format: 'skip' }));

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } }));

/** More than the largest upload has: the library cuts longer texts and does not say so. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Exponents keep their place above the line. */
const formatRaised: FormatCallback = (element, walk, builder) => {
  builder.pushWordTransform(raised);
  walk(element.children, builder);
  builder.popWordTransform();
};

/** Pictures in documents are named by what their authors say of them; books have their equations so. */
const formatPicture: FormatCallback = ({ attribs }: { attribs?: Record<string, string> }, _, builder) => {
  const said = attribs?.alt?.trim();
  if (said) builder.addInline(` [picture: ${said}] `);
};

const TEXT_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: MAX_CHARACTERS, maxDepth: 200 },
  // Pages may omit the tag of the body.
  baseElements: { selectors: ['body'], returnDomByDefault: true },
  selectors: [
    ...headings,
    ...skipped('title', 'video', 'audio', 'button', 'select', 'input', 'textarea', 'script', 'style', 'rp'),
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'table', format: 'rows' },
    { selector: 'sup', format: 'raised' },
    ...['del', 's', 'strike'].map((selector) => ({
      selector,
      format: 'inlineSurround',
      options: { prefix: '~~', suffix: '~~' },
    })),
    // How a word in Japanese is read stands in brackets after it, which some pages have for older browsers.
    { selector: 'rt', format: 'inlineSurround', options: { prefix: '(', suffix: ')' } },
  ],
  formatters: { rows: formatTable, raised: formatRaised, picture: formatPicture },
};

const DOCUMENT_OPTIONS: HtmlToTextOptions = {
  ...TEXT_OPTIONS,
  selectors: [...TEXT_OPTIONS.selectors!, { selector: 'img', format: 'picture' }],
};

/** Those of web pages mostly decorate. */
const PAGE_OPTIONS: HtmlToTextOptions = {
  ...TEXT_OPTIONS,
  selectors: [...TEXT_OPTIONS.selectors!, ...skipped('img')],
};

export interface HtmlText {
  title: string;
  text: string;
}

/** The part of a DOM that this file uses. */
interface Page {
  querySelector(selector: string): { textContent: string | null } | null;
  querySelectorAll(selector: string): PageElement[];
  toString(): string;
}

interface PageElement {
  parentElement: PageElement | null;
  remove(): void;
}

/** Reads the main text of a web page. Nothing in it runs, and nothing is fetched. */
export function readHtml(bytes: Uint8Array, contentType: string): HtmlText {
  const html = decode(bytes, contentType);
  const page = parse(html);
  const title = (page.querySelector('title') ?? page.querySelector('h1'))?.textContent ?? '';
  const isScored = canBeScored(page.querySelectorAll('*'));
  for (const element of page.querySelectorAll(UNREADABLE)) element.remove();
  const whole = htmlToText(page.toString(), PAGE_OPTIONS);
  const article = isScored ? articleIn(html) : '';
  return { title, text: article.length >= LEAST_SHARE * whole.length ? article || whole : whole };
}

/** Reads the whole text of a document in HTML. @param contentType with the charset, where it is known */
export const readHtmlText = (bytes: Uint8Array, contentType: string): string =>
  htmlToText(decode(bytes, contentType), DOCUMENT_OPTIONS);

/** @param elements in the order of the document */
function canBeScored(elements: PageElement[]): boolean {
  if (elements.length > MAX_SCORED_ELEMENTS) return false;
  const depths = new Map<PageElement | null, number>();
  for (const element of elements) depths.set(element, (depths.get(element.parentElement) ?? 0) + 1);
  return Math.max(...depths.values()) <= MAX_SCORED_DEPTH;
}

const parse = (html: string): Page => (parseHTML(html) as unknown as { document: Page }).document;

function decode(bytes: Uint8Array, contentType: string): string {
  const declared = /charset\s*=\s*["']?([\w-]+)/i.exec(contentType)?.[1];
  const encoding = htmlEncodingSniffer(bytes, { transportLayerEncodingLabel: declared, defaultEncoding: 'UTF-8' });
  return new TextDecoder(encoding).decode(bytes);
}

/** Text of the article in the page; '' where none stands out. Readability changes the document, so it has its own. */
function articleIn(html: string): string {
  try {
    const article = new Readability(parse(html)).parse();
    return htmlToText(article?.content ?? '', PAGE_OPTIONS);
  } catch {
    // Readability expects a body, which pages may omit.
    return '';
  }
}
