import { searchPattern } from '../shared/search-pattern';

/** Name of the highlight in `::highlight()`. */
const NAME = 'found-words';

/**
 * Marks the words in the text of an element. Ranges leave the nodes of React alone. Returns a function that removes the
 * marks. Without support in the browser nothing is marked.
 */
export function markWords(element: Element, words: string): () => void {
  if (typeof Highlight === 'undefined') return () => undefined;
  CSS.highlights.set(NAME, new Highlight(...rangesOf(element, words)));
  return () => CSS.highlights.delete(NAME);
}

/** The ranges of the words, also across elements such as emphasis. */
export function rangesOf(element: Element, words: string): Range[] {
  const pattern = searchPattern(words, 'giu');
  if (!pattern) return [];
  const nodes = textNodes(element);
  const text = nodes.map(({ data }) => data).join('');
  return [...text.matchAll(pattern)].map((match) => {
    const range = document.createRange();
    range.setStart(...positionAt(nodes, match.index, false));
    range.setEnd(...positionAt(nodes, match.index + match[0].length, true));
    return range;
  });
}

function textNodes(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  return nodes;
}

/** The node and offset of a character. The end of a range belongs to the node before it. */
function positionAt(nodes: readonly Text[], index: number, isEnd: boolean): [Text, number] {
  let rest = index;
  for (const node of nodes) {
    if (rest < node.length || (isEnd && rest === node.length)) return [node, rest];
    rest -= node.length;
  }
  throw new Error('The position is outside of the text');
}
