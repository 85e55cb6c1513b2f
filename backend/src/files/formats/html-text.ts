import { makeShallow } from './html-depth.js';
import { formatInput, formatSelect } from './html-forms.js';
import { formatTable } from './html-table.js';
import { Readability } from '@mozilla/readability';
import htmlEncodingSniffer from 'html-encoding-sniffer';
import { type FormatCallback, type HtmlToTextOptions, htmlToText } from 'html-to-text';
import { parseHTML } from 'linkedom';
import { addressBehind } from './text/links.js';
import { raised } from './text/looks.js';

/** Larger documents are converted as a whole: scoring their elements takes too long. */
const MAX_SCORED_ELEMENTS = 30_000;
/** So are deeper ones: the time of scoring is quadratic in the depth, a second at 5,000. */
const MAX_SCORED_DEPTH = 1_000;
/** A found article with less text than this share of the page is probably not the content, such as a cookie notice. */
const LEAST_SHARE = 0.1;

/** Elements without text for readers. */
const UNREADABLE = 'script,style,noscript,template,svg,canvas,iframe,object,embed,nav,aside,footer,dialog,[hidden]';

/** Elements that stand in lines of their own, which the library does not know. */
const blocks =
  'address center dd details dialog dir dl dt fieldset figcaption figure hgroup legend li menu option summary'
    .split(' ')
    .map((selector) => ({ selector, format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } }));

const skipped = (...names: string[]) => names.map((selector) => ({ selector, format: 'skip' }));

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } }));

/** More than the largest upload has: the library cuts longer texts and does not say so. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Levels of elements that are converted one inside another: each takes some frames of the stack. */
const MAX_DEPTH = 200;
const MAX_LEVELS = MAX_DEPTH - 10;

interface Node {
  data?: string;
  children?: Node[];
}

/** Exponents keep their place above the line. */
const formatRaised: FormatCallback = (element, walk, builder) => {
  builder.pushWordTransform(raised);
  walk(element.children, builder);
  builder.popWordTransform();
};

type Attributes = { attribs?: Record<string, string> };

/** A link has its address behind its text. */
const formatLink: FormatCallback = (element, walk, builder) => {
  let text = '';
  builder.pushWordTransform((word) => {
    text += word;
    return word;
  });
  walk(element.children, builder);
  builder.popWordTransform();
  const behind = addressBehind(text, (element as Attributes).attribs?.href ?? '');
  if (behind !== '') builder.addInline(behind, { noWordTransform: true });
};

/** Letters and digits. What fills the preview of a mail has none. */
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

function saysSomething(nodes: readonly Node[]): boolean {
  const left = [...nodes];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (SAYS_SOMETHING.test(node.data ?? '')) return true;
    for (const child of node.children ?? []) left.push(child);
  }
  return false;
}

/** Texts that are inside of an element that is not shown. */
const hiddenTexts = new WeakSet<object>();

/** What a mail does not show: a text for its preview in lists, or words for filters. One inside of another has no mark. */
const formatHidden: FormatCallback = (element, walk, builder) => {
  const isInner = hiddenTexts.has(builder);
  if (!isInner && !saysSomething(element.children)) return;
  builder.openBlock();
  if (!isInner) builder.addInline('[hidden: ', { noWordTransform: true });
  hiddenTexts.add(builder);
  if (element.name === 'table') formatTable(element, walk, builder, {});
  else walk(element.children, builder);
  if (!isInner) {
    hiddenTexts.delete(builder);
    builder.addInline(']', { noWordTransform: true });
  }
  builder.closeBlock();
};

/** The whole document, in as many levels as are converted. */
const formatWhole: FormatCallback = (element, walk, builder) => {
  makeShallow(element, MAX_LEVELS);
  walk(element.children, builder);
};

/** Pictures in documents are named by what their authors say of them; books have their equations so. */
const formatPicture: FormatCallback = ({ attribs }: Attributes, _, builder) => {
  const said = attribs?.alt?.trim();
  if (said) builder.addInline(` [picture: ${said}] `);
};

const TEXT_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: MAX_CHARACTERS, maxDepth: MAX_DEPTH },
  // Pages may omit the tag of the body.
  baseElements: { selectors: ['body'], returnDomByDefault: true },
  selectors: [
    ...headings,
    ...blocks,
    ...skipped('title', 'video', 'audio', 'button', 'script', 'style', 'rp'),
    { selector: 'body', format: 'whole' },
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
  formatters: {
    whole: formatWhole,
    rows: formatTable,
    raised: formatRaised,
    picture: formatPicture,
    field: formatInput,
    choice: formatSelect,
    link: formatLink,
    hidden: formatHidden,
  },
};

/** Elements that are not shown, by their own style. */
const HIDDEN = [
  '[hidden]',
  ...['display:none', 'display: none', 'visibility:hidden', 'visibility: hidden', 'mso-hide:all', 'mso-hide: all'].map(
    (style) => `[style*="${style}" i]`,
  ),
];

const DOCUMENT_OPTIONS: HtmlToTextOptions = {
  ...TEXT_OPTIONS,
  selectors: [
    ...TEXT_OPTIONS.selectors!,
    { selector: 'img', format: 'picture' },
    { selector: 'input', format: 'field' },
    { selector: 'select', format: 'choice' },
    { selector: 'a', format: 'link' },
    ...HIDDEN.map((selector) => ({ selector, format: 'hidden' })),
  ],
};

/** Those of web pages mostly decorate. */
const PAGE_OPTIONS: HtmlToTextOptions = {
  ...TEXT_OPTIONS,
  selectors: [...TEXT_OPTIONS.selectors!, ...skipped('img', 'select', 'input', 'textarea')],
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
  const whole = htmlToText(withBody(page.toString()), PAGE_OPTIONS);
  const article = isScored ? articleIn(html) : '';
  return { title, text: article.length >= LEAST_SHARE * whole.length ? article || whole : whole };
}

/** Where a word may be divided at the end of a line, which books have in most of their words. */
const SOFT_HYPHEN = '\u00ad';

/** Reads the whole text of a document in HTML. @param contentType with the charset, where it is known */
export const readHtmlText = (bytes: Uint8Array, contentType: string): string =>
  htmlToText(withBody(decode(bytes, contentType)), DOCUMENT_OPTIONS).replaceAll(SOFT_HYPHEN, '');

/** Mails often have no body of their own. */
const withBody = (html: string): string => (/<body[\s>]/i.test(html) ? html : `<body>${html}`);

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
    return htmlToText(withBody(article?.content ?? ''), PAGE_OPTIONS);
  } catch {
    // Readability expects a body, which pages may omit.
    return '';
  }
}
