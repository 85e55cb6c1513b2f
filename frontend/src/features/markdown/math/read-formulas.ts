import { readableTex } from './tex';

interface MarkdownNode {
  type: string;
  value?: string;
  position?: { start: { offset?: number } };
  data?: { hProperties?: Record<string, unknown>; hChildren?: { value?: string }[] };
  children?: MarkdownNode[];
}

/** Shows the formulas that `unifyMath` has written between three dollars on lines of their own, and makes all readable. */
export function remarkFormulas() {
  return (root: MarkdownNode, file: { value: unknown }) => readFormulas(root, String(file.value));
}

function readFormulas(node: MarkdownNode, source: string): void {
  if (node.type === 'inlineMath') {
    const isDisplay = source.startsWith('$$$', node.position?.start.offset ?? -1);
    const data = { ...node.data };
    if (isDisplay) data.hProperties = { className: ['language-math', 'math-display'] };
    data.hChildren = data.hChildren?.map((text) => ({ ...text, value: readableTex(text.value ?? '', isDisplay) }));
    node.data = data;
  }
  for (const child of node.children ?? []) readFormulas(child, source);
}
