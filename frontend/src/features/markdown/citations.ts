import type { SourcePart } from '@tanya/contract';
import { addressQuote } from '../../app/browser/address-quote';
import type { MarkdownNode } from './nodes';

export const CITATION_CLASS = 'citation';

/** As long as those of the server's filter: a long document has more than a thousand passages. */
const NUMBER = /^\d{1,4}$/;

/** The sources of an answer as link definitions for `Markdown`: `[1]` in the text becomes a link. */
export const sourceDefinitions = (sources: readonly SourcePart[]): string =>
  sources
    .filter(({ url }) => url !== '')
    .map((source) => {
      const { index, url, title, label } = source;
      return `[${index}]: <${addressOf(passageAddress(source))}> "${titleOf(title, url, label)}"`;
    })
    .join('\n');

/** The title and host of a source, in which no quote ends the title. */
const titleOf = (title: string, url: string, label = ''): string =>
  [title, label || hostOf(url)].filter(Boolean).join(' — ').replace(/\s+/g, ' ').replace(/[\\"]/g, "'");

/** The address of a source; that of a passage has its quote, by which the document marks it. */
export const passageAddress = ({ url, fileId, quote }: SourcePart): string =>
  fileId === undefined || !quote || url === ''
    ? url
    : `${url}&quote=${encodeURIComponent(routerText(addressQuote(quote)))}`;

/** A text as the router writes it into an address: in one that is JSON, such as 1.250, it would read a number. */
function routerText(text: string): string {
  try {
    JSON.parse(text);
    return JSON.stringify(text);
  } catch {
    return text;
  }
}

/** Passages of files have addresses of this site. */
const addressOf = (url: string): string =>
  (url.startsWith('/projects/') ? url : URL.canParse(url) ? new URL(url).href : '').replace(
    /[<>\s]/g,
    encodeURIComponent,
  );

/** The host of an address without `www.`; '' for an address that cannot be read. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '');

/** Marks references with a number as label as citations. `[1][2]` is two of them, not one with a text. */
export function remarkCitations() {
  return markCitations;
}

function markCitations(parent: MarkdownNode): void {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((node) => {
    if (node.type !== 'linkReference' || !NUMBER.test(node.identifier ?? '')) {
      markCitations(node);
      return [node];
    }
    const text = node.children?.length === 1 ? node.children[0]?.value : undefined;
    const isPair = node.referenceType === 'full' && text !== undefined && NUMBER.test(text);
    if (!isPair) return node.referenceType === 'full' ? [node] : [citation(node.identifier!)];
    return [citation(text), citation(node.identifier!)];
  });
}

const citation = (number: string): MarkdownNode => ({
  type: 'linkReference',
  label: number,
  identifier: number,
  referenceType: 'shortcut',
  children: [{ type: 'text', value: number }],
  data: { hProperties: { className: CITATION_CLASS } },
});
