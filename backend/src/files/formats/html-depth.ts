/** A node of the parser of `html-to-text`. */
interface Node {
  name?: string;
  data?: string;
  attribs?: Readonly<Record<string, string>>;
  children?: Node[];
}

const WITHOUT_TEXT = new Set(['script', 'style', 'title', 'template', 'video', 'audio', 'button', 'rp']);

/** Elements that stay as they are: they have no content. */
const KEPT = new Set(['br', 'hr', 'img', 'input', 'select']);

const IN_LINE = new Set(
  'a abbr b bdi bdo big cite code data em font i ins kbd mark q s samp small span strong sub sup time tt u var'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);

const HIDDEN = /display:\s*none|visibility:\s*hidden|mso-hide:\s*all/i;
const isHidden = ({ attribs = {} }: Node): boolean => 'hidden' in attribs || HIDDEN.test(attribs['style'] ?? '');

const text = (data: string): Node & { type: string } => ({ type: 'text', data });
const lineBreak = (): Node & { type: string } => ({ type: 'tag', name: 'br', attribs: {}, children: [] });

/**
 * Leaves so many levels of a document. What stands deeper keeps its texts, in lines, and loses its tables and lists: long
 * exchanges of mails quote one another, and old pages do not close their elements. The library drops such parts.
 */
export function makeShallow(root: Node, levels: number): void {
  const left: [node: Node, level: number][] = [[root, 0]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [node, level] = next;
    // The body of a mail inside of another one, which would be read again from its own first level.
    if (level > 0 && node.name === 'body') node.name = 'div';
    if (level < levels) for (const child of node.children ?? []) left.push([child, level + 1]);
    else if (node.children?.some(({ children }) => children !== undefined)) {
      node.children = leavesOf(node.children);
      // A table is converted by its rows.
      node.name = 'div';
    }
  }
}

/** The texts in nodes, in their order and in lines. */
function leavesOf(nodes: readonly Node[]): Node[] {
  const leaves: Node[] = [];
  const left: Node[] = nodes.toReversed();
  let isLineEmpty = true;
  let hiddenUntil = -1;
  const add = (leaf: Node): void => {
    if (leaf.name === 'br' && isLineEmpty) return;
    isLineEmpty = leaf.name === 'br' || (isLineEmpty && leaf.data !== undefined && !/\S/.test(leaf.data));
    leaves.push(leaf);
  };
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (left.length <= hiddenUntil) hiddenUntil = -1;
    const { name = '', children } = node;
    const isLeaf = children === undefined || KEPT.has(name);
    if (isLeaf) add(node);
    if (isLeaf || WITHOUT_TEXT.has(name)) continue;
    const around = CELLS.has(name) ? text(' ') : IN_LINE.has(name) ? text('') : lineBreak();
    add(around);
    left.push(around);
    if (hiddenUntil === -1 && isHidden(node)) {
      add(text('[hidden: '));
      left.push(text(']'));
      hiddenUntil = left.length - 1;
    }
    for (const child of children.toReversed()) left.push(child);
  }
  return leaves;
}
