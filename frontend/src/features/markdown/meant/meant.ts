import { withEmphasis } from './emphasis';
import { FOLDED, withFolded, withTags } from './tags';
import { type MeantNode, textNode } from './nodes';

const DIRECTED = new Set(['list', 'blockquote']);
const ALERT =
  /^\[!(note|tip|hint|important|warning|caution|attention|danger|error|failure|bug|info|success|question|example|quote|abstract|summary|todo)\][+-]?[ \t]*\n?/i;

/** Renders what models mean where Markdown has another meaning, or none. See docs/decisions/0103. */
export function remarkMeant({ isOpen = false }: { isOpen?: boolean } = {}) {
  return (root: MeantNode, file: { value: unknown }) => mend(root, String(file.value), isOpen);
}

/** @param depth the number of folded texts around the parent */
function mend(parent: MeantNode, source: string, isOpen: boolean, depth = 0): void {
  if (!parent.children) return;
  const inner = parent.data?.hName === FOLDED ? depth + 1 : depth;
  // Markers of lists and lines of quotations stand on the side where their text begins.
  if (DIRECTED.has(parent.type))
    parent.data = { ...parent.data, hProperties: { ...parent.data?.hProperties, dir: 'auto' } };
  if (parent.type === 'blockquote') nameAlert(parent);
  const blocks = parent.type === 'root' ? withDrawings(parent.children, source) : parent.children;
  parent.children = withEmphasis(withFolded(blocks, inner), source);
  parent.children.forEach((node, index) => mend(node, source, isOpen && index === parent.children!.length - 1, inner));
  parent.children = withTags(parent.children, { isOpen, isCell: parent.type === 'tableCell' }).flatMap(withLines);
}

/** A line of text that ends is a line that ends: models do not break lines at a width. */
function withLines(node: MeantNode): MeantNode[] {
  if (node.type !== 'text' || !node.value?.includes('\n')) return [node];
  return node.value
    .split('\n')
    .flatMap((line, index) => [...(index > 0 ? [{ type: 'break' }] : []), ...(line === '' ? [] : [textNode(line)])]);
}

/** `[!NOTE]` at the start of a quotation is its title, which text may follow on its line. */
function nameAlert({ children: [first] = [] }: MeantNode): void {
  const text = first?.type === 'paragraph' ? first.children?.[0] : undefined;
  const [mark = '', kind = ''] = (text?.type === 'text' && ALERT.exec(text.value ?? '')) || [];
  if (!first?.children || !text || !kind) return;
  const title = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
  first.children = [
    // Its direction is not that of the quotation.
    { type: 'strong', data: { hProperties: { dir: 'auto' } }, children: [textNode(title)] },
    { type: 'break' },
    textNode(text.value!.slice(mark.length)),
    ...first.children.slice(1),
  ];
}

/** A line of a tree of folders, or the edge of a box. */
const DRAWN = /^[ \t]*(?:[│|][ \t]*)*[├└╰]─|^[ \t]*[+┌╭][-=+─]{2}/;
/** The folder above a tree. */
const ROOT = /^[\w.@/-]{1,100}$/;
/** Text that is more than its letters. */
const MARKED = /[*_`[\]<$]/;

/** Paragraphs of a text in which a model draws without fences, as blocks of code, so that their columns stay. */
function withDrawings(nodes: MeantNode[], source: string): MeantNode[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'paragraph' || !node.position) return [node];
    return drawnIn(source.slice(node.position.start.offset, node.position.end.offset)) ?? [node];
  });
}

function drawnIn(text: string): MeantNode[] | null {
  const lines = text.split('\n');
  const drawn = lines.findIndex((line) => DRAWN.test(line));
  if (drawn === -1) return null;
  const first = drawn > 0 && ROOT.test(lines[drawn - 1]!) ? drawn - 1 : drawn;
  const above = lines.slice(0, first).join('\n');
  if (MARKED.test(above)) return null;
  const code = { type: 'code', value: lines.slice(first).join('\n') };
  return above === '' ? [code] : [{ type: 'paragraph', children: [textNode(above)] }, code];
}
