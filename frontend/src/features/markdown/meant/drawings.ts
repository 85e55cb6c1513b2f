import { type MeantNode, textNode } from './nodes';

/** A line of a tree of folders, or the edge of a box. */
const DRAWN = /^[ \t]*(?:[│|][ \t]*)*[├└╰]─|^[ \t]*[+┌╭][-=+─]{2}/;
/** The folder above a tree. */
const ROOT = /^[\w.@/-]{1,100}$/;
/** Text that is more than its letters. */
const MARKED = /[*_`[\]<$]/;

/** Paragraphs of a text in which a model draws without fences, as blocks of code, so that their columns stay. */
export function withDrawings(nodes: MeantNode[], source: string): MeantNode[] {
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
