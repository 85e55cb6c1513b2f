/** A part of an answer that is spoken at once, with its place in the page. */
export interface Sentence {
  text: string;
  range: Range;
}

/** Chrome ends an utterance after 15 s. */
const MAX_LENGTH = 200;

const BLOCKS = 'p,li,h1,h2,h3,h4,h5,h6,td,th,blockquote,summary,div';
/**
 * Parts of formulas whose letters and digits mean something else without their places: “12” for a half, “x2” for a square,
 * “1012” for 101 in base 2.
 */
const PLACES = 'mfrac,msup,msubsup,msub>mn:first-child,msqrt,mroot,munder,mover,munderover,mtable';
/** Not read: code has a word in its place; formulas and marks are shown a second time for the eye. */
const SILENT = '[aria-hidden=true],.sr-only,button,script,style,annotation,a.citation';

/** A text of the page, or an element with the word that is spoken in its place. */
interface Piece {
  node: Text | Element;
  text: string;
}

/**
 * The sentences of an answer in their order.
 * @param words spoken in place of a block of code, and of a formula that is more than a row of signs
 */
export function sentencesIn(
  elements: Iterable<Element>,
  language: string,
  words: { code: string; formula: string },
): Sentence[] {
  const sentences: Sentence[] = [];
  let pieces: Piece[] = [];
  let block: Element | null = null;
  const flush = () => {
    sentences.push(...sentencesOf(pieces, language));
    pieces = [];
  };
  const add = (piece: Piece) => {
    const nearest = piece.node.parentElement!.closest(BLOCKS);
    if (nearest !== block) flush();
    block = nearest;
    pieces.push(piece);
  };
  for (const element of elements) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
      if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
      if (node.matches(SILENT)) return NodeFilter.FILTER_REJECT;
      if (node.matches('math') && node.querySelector(PLACES)) {
        add({ node, text: words.formula });
        return NodeFilter.FILTER_REJECT;
      }
      if (!node.matches('.code-block')) return NodeFilter.FILTER_SKIP;
      flush();
      const range = document.createRange();
      range.selectNodeContents(node);
      sentences.push({ text: words.code, range });
      return NodeFilter.FILTER_REJECT;
    });
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      add({ node, text: node.data });
    }
    flush();
  }
  return sentences;
}

function sentencesOf(pieces: readonly Piece[], language: string): Sentence[] {
  const text = pieces.map((piece) => piece.text).join('');
  return spansOf(text, language).map(([start, end]) => {
    const range = document.createRange();
    range.setStart(...placeOf(pieces, start));
    range.setEnd(...placeOf(pieces, end));
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

function placeOf(pieces: readonly Piece[], index: number): [Node, number] {
  let rest = index;
  for (const { node, text } of pieces) {
    if (rest <= text.length) return node instanceof Text ? [node, rest] : sideOf(node, rest === text.length);
    rest -= text.length;
  }
  throw new Error('The position is outside of the text');
}

/** The place before or after an element that is spoken as a whole. */
function sideOf(element: Element, isAfter: boolean): [Node, number] {
  const range = document.createRange();
  range.selectNode(element);
  return [range.startContainer, isAfter ? range.endOffset : range.startOffset];
}
