import { positionAt, textNodes } from './text-nodes';

/** Characters by which the ends of a selection are found again where the text inside of it has changed. */
const END_LENGTH = 40;

const OBSERVED = { childList: true, characterData: true, subtree: true };

interface Selected {
  root: Element;
  /** Its boundaries follow the changes of the page as those of the selection do. */
  range: Range;
  isBackward: boolean;
  /** The selected text, without the line breaks between elements, and its position in the text of `root`. */
  text: string;
  at: number;
}

/** Elements whose selection is kept. */
const KEPT = '.message-body';

let selected: Selected | null = null;

/**
 * Keeps the selection in a message while its content is rendered again: the browser loses a selection whose text nodes are
 * replaced. The page listens for as long as it lives.
 */
export function keepSelections(): void {
  document.addEventListener('selectionchange', rememberSelection);
}

/** Records the selection. Called before the text of a message changes too: the browser's event comes later. */
export function rememberSelection(): void {
  const selection = getSelection();
  if (selected && selection && selection.rangeCount > 0 && isAt(selection.getRangeAt(0), selected.range)) return;
  observer.disconnect();
  selected = selection && readSelection(selection);
  if (selected) observer.observe(selected.root, OBSERVED);
}

const observer = new MutationObserver(() => {
  if (!selected || !restore(selected)) return;
  selected = null;
  rememberSelection();
});

function readSelection(selection: Selection): Selected | null {
  if (selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0).cloneRange();
  const { commonAncestorContainer: around, startContainer, startOffset } = range;
  const root = (around instanceof Element ? around : around.parentElement)?.closest(KEPT);
  if (!root) return null;
  const isBackward = selection.focusNode === startContainer && selection.focusOffset === startOffset;
  const before = document.createRange();
  before.setStart(root, 0);
  before.setEnd(startContainer, startOffset);
  return { root, range, isBackward, text: range.toString(), at: before.toString().length };
}

/** Selects the text again if it has lost its selection. @returns whether it had */
function restore({ root, range, isBackward, text, at }: Selected): boolean {
  const selection = getSelection();
  // A text that is still there has kept its selection; a selection elsewhere is the reader's own.
  if (range.toString() === text || !selection || !wasMoved(selection, root, range)) return false;
  const nodes = textNodes(root);
  const all = nodes.map(({ data }) => data).join('');
  const found = findNearest(all, text, at);
  if (!found) return false;
  const start = positionAt(nodes, found.start, false);
  const end = positionAt(nodes, found.end, true);
  const [anchor, focus] = isBackward ? [end, start] : [start, end];
  selection.setBaseAndExtent(...anchor, ...focus);
  return true;
}

/** Whether the page has moved the selection: to the boundaries of the range, or to the place of removed elements. */
function wasMoved(selection: Selection, root: Element, range: Range): boolean {
  if (selection.rangeCount === 0) return true;
  const moved = selection.getRangeAt(0);
  const { startContainer } = moved;
  // A click of the reader is in a text.
  if (moved.collapsed && startContainer instanceof Element)
    return root.contains(startContainer) || startContainer.contains(root);
  return isAt(moved, range);
}

const isAt = (one: Range, other: Range): boolean =>
  one.startContainer === other.startContainer &&
  one.startOffset === other.startOffset &&
  one.endContainer === other.endContainer &&
  one.endOffset === other.endOffset;

/** Where the text stands, nearest to its earlier position. A text that has changed is found by its two ends. */
function findNearest(all: string, text: string, at: number): { start: number; end: number } | null {
  const whole = nearest(all, text, at);
  if (whole !== null) return { start: whole, end: whole + text.length };
  const start = nearest(all, text.slice(0, END_LENGTH), at);
  const ending = text.slice(-END_LENGTH);
  const last = nearest(all, ending, at + text.length - ending.length);
  return start === null || last === null || last < start ? null : { start, end: last + ending.length };
}

function nearest(all: string, piece: string, at: number): number | null {
  const before = all.lastIndexOf(piece, at);
  const after = all.indexOf(piece, at);
  if (before === -1 || after === -1) return before === after ? null : Math.max(before, after);
  return at - before <= after - at ? before : after;
}
