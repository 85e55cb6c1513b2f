import { textNodes } from '../text-nodes';

/** Names of the highlights in `::highlight()`: of all found words, and of those that are shown. */
const FOUND = 'found-words';
const SHOWN = 'shown-words';

/**
 * Marks ranges of the page, which leaves the nodes of React alone. Without support in the browser nothing is marked.
 * @param shown the range that the reader was led to
 */
export function markRanges(ranges: readonly Range[], shown: Range | undefined): void {
  if (typeof Highlight === 'undefined') return;
  CSS.highlights.set(FOUND, new Highlight(...ranges));
  CSS.highlights.set(SHOWN, new Highlight(...(shown ? [shown] : [])));
}

export function removeMarks(): void {
  if (typeof Highlight === 'undefined') return;
  CSS.highlights.delete(FOUND);
  CSS.highlights.delete(SHOWN);
}

/** What the search does not read: reasoning and calls of tools, heads of code, and formulas as they stand a second time for screen readers. */
const UNREAD = 'details:not(.answer-text details), .code-header, .katex-mathml';

/** The ranges of all matches in the text of an element, also across elements such as emphasis. */
export function rangesOf(element: Element, pattern: RegExp): Range[] {
  const nodes = textNodes(element).filter(({ parentElement }) => !parentElement?.closest(UNREAD));
  const text = nodes.map(({ data }) => data).join('');
  let at = 0;
  let start = 0;
  // The matches are in the order of the text, so that the nodes are walked once for all of them.
  const goTo = (index: number): [Text, number] => {
    for (; index > start + nodes[at]!.length; at += 1) start += nodes[at]!.length;
    return [nodes[at]!, index - start];
  };
  return [...text.matchAll(new RegExp(pattern, 'giu'))].map((match) => {
    const range = document.createRange();
    const [first] = goTo(match.index + 1);
    range.setStart(first, match.index - start);
    range.setEnd(...goTo(match.index + match[0].length));
    return range;
  });
}
