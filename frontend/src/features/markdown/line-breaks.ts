interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
}

const LINE_BREAK = /<br[ \t]*\/?>/i;

/** Models break lines by `<br>`, above all in the cells of tables, which have no other way. All other HTML stays text. */
export function remarkLineBreaks() {
  return breakLinesIn;
}

function breakLinesIn(parent: MarkdownNode): void {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((node) => {
    breakLinesIn(node);
    return node.type === 'html' ? withLineBreaks(node) : [node];
  });
}

function withLineBreaks(html: MarkdownNode): MarkdownNode[] {
  const [first = '', ...rest] = html.value?.split(LINE_BREAK) ?? [];
  return [{ ...html, value: first }, ...rest.flatMap((value) => [{ type: 'break' }, { ...html, value }])];
}
