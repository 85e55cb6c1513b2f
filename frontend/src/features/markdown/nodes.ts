/** A node of mdast, as far as this folder reads it. */
export interface MarkdownNode {
  type: string;
  value?: string;
  /** The address and the title of a link. */
  url?: string;
  title?: null;
  /** Of a reference. */
  label?: string | null;
  identifier?: string;
  referenceType?: string;
  /** Of a list. */
  start?: number | null;
  spread?: boolean | null;
  children?: MarkdownNode[];
  position?: { start: { offset?: number } };
  data?: { hName?: string; hProperties?: Record<string, unknown>; hChildren?: { value?: string }[] };
}
