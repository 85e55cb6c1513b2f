interface MarkdownNode {
  type: string;
  start?: number | null;
  spread?: boolean | null;
  children?: MarkdownNode[];
}

/** Gives a list that is a part of a longer one the number of its first item, and the spacing of the whole list. */
export function remarkListPart({ start, loose }: { start?: number; loose?: boolean }) {
  return ({ children: [list] = [] }: MarkdownNode) => {
    if (list?.type !== 'list') return;
    if (start !== undefined) list.start = start;
    if (loose) list.spread = true;
  };
}
