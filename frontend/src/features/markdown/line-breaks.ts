interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
}

const LINE_BREAK = /<br[ \t]*\/?>/i;

/** Renders `<br>` as a line break, because models use it in table cells. All other HTML stays text. */
export function remarkLineBreaks() {
  return replaceBreaks;
}

function replaceBreaks(parent: MarkdownNode): void {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((node) => {
    replaceBreaks(node);
    return node.type === 'html' ? withLineBreaks(node) : [node];
  });
}

function withLineBreaks(html: MarkdownNode): MarkdownNode[] {
  const [first = '', ...rest] = html.value?.split(LINE_BREAK) ?? [];
  return [{ ...html, value: first }, ...rest.flatMap((value) => [{ type: 'break' }, { ...html, value }])];
}
