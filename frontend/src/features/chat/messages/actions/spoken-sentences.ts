/** A part of an answer that is spoken at once, with its place in the page. */
export interface Sentence {
  text: string;
  range: Range;
}

/** Chrome ends an utterance after 15 s. */
const MAX_LENGTH = 200;

const BLOCKS = 'p,li,h1,h2,h3,h4,h5,h6,td,th,blockquote,summary,div';
/** Not read: code has a word in its place; formulas and marks are shown a second time for the eye. */
const SILENT = '[aria-hidden=true],.sr-only,button,script,style,annotation,a.citation';

/**
 * The sentences of an answer in their order.
 * @param codeWord spoken in place of a code block
 */
export function sentencesIn(elements: Iterable<Element>, language: string, codeWord: string): Sentence[] {
  const sentences: Sentence[] = [];
  let nodes: Text[] = [];
  let block: Element | null = null;
  const flush = () => {
    sentences.push(...sentencesOf(nodes, language));
    nodes = [];
  };
  for (const element of elements) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
      if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
      if (node.matches(SILENT)) return NodeFilter.FILTER_REJECT;
      if (!node.matches('.code-block')) return NodeFilter.FILTER_SKIP;
      flush();
      const range = document.createRange();
      range.selectNodeContents(node);
      sentences.push({ text: codeWord, range });
      return NodeFilter.FILTER_REJECT;
    });
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const nearest = node.parentElement!.closest(BLOCKS);
      if (nearest !== block) flush();
      block = nearest;
      nodes.push(node);
    }
    flush();
  }
  return sentences;
}

function sentencesOf(nodes: readonly Text[], language: string): Sentence[] {
  const text = nodes.map(({ data }) => data).join('');
  return spansOf(text, language).map(([start, end]) => {
    const range = document.createRange();
    range.setStart(...placeOf(nodes, start));
    range.setEnd(...placeOf(nodes, end));
    return { text: text.slice(start, end), range };
  });
}

/** Start and end of each sentence with letters or digits, without the blanks around it. */
function spansOf(text: string, language: string): [start: number, end: number][] {
  const segments = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text);
  return [...segments].flatMap(({ segment, index }) => piecesOf(segment, index));
}

function piecesOf(sentence: string, index: number): [start: number, end: number][] {
  const trimmed = sentence.trimEnd();
  const start = index + trimmed.length - trimmed.trimStart().length;
  const body = trimmed.trimStart();
  if (!/[\p{L}\p{N}]/u.test(body)) return [];
  if (body.length <= MAX_LENGTH) return [[start, start + body.length]];
  const head = body.slice(0, MAX_LENGTH);
  const pause = Math.max(...[', ', '; ', ': ', '，', '、', '；'].map((mark) => head.lastIndexOf(mark)));
  const blank = head.lastIndexOf(' ');
  const cut = pause > MAX_LENGTH / 4 ? pause + 1 : blank > 0 ? blank : MAX_LENGTH;
  return [[start, start + cut], ...piecesOf(body.slice(cut), start + cut)];
}

function placeOf(nodes: readonly Text[], index: number): [Text, number] {
  let rest = index;
  for (const node of nodes) {
    if (rest <= node.length) return [node, rest];
    rest -= node.length;
  }
  throw new Error('The position is outside of the text');
}
