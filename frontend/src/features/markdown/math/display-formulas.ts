interface MarkdownNode {
  type: string;
  position?: { start: { offset?: number } };
  data?: { hProperties?: Record<string, unknown> };
  children?: MarkdownNode[];
}

/** Shows the formulas that `unifyMath` has written between three dollars on lines of their own. */
export function remarkDisplayFormulas() {
  return (root: MarkdownNode, file: { value: unknown }) => markDisplay(root, String(file.value));
}

function markDisplay(node: MarkdownNode, source: string): void {
  if (node.type === 'inlineMath' && source.startsWith('$$$', node.position?.start.offset ?? -1)) {
    node.data = { ...node.data, hProperties: { className: ['language-math', 'math-display'] } };
  }
  for (const child of node.children ?? []) markDisplay(child, source);
}
