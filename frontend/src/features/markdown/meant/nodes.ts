/** A node of mdast, as far as this folder reads it. */
export interface MeantNode {
  type: string;
  value?: string;
  /** The address of a link or a picture. */
  url?: string;
  alt?: string;
  children?: MeantNode[];
  position?: { start: { offset?: number }; end: { offset?: number } };
  data?: { hName?: string; hProperties?: Record<string, unknown> };
}

export const textNode = (value: string): MeantNode => ({ type: 'text', value });
