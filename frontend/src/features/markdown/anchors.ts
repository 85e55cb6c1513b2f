/** A node of hast, as far as this file reads it. */
interface HtmlNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HtmlNode[];
}

const HEADING = /^h[1-6]$/;

/**
 * Links of a table of contents lead to the titles of the same answer, whose ids are those of GitHub.
 * @param scope prefix of the ids, unique per message
 */
export function rehypeAnchors(scope: string) {
  return (root: HtmlNode) => anchor(root, scope);
}

function anchor(node: HtmlNode, scope: string): void {
  const { tagName = '', properties = {}, children = [] } = node;
  if (HEADING.test(tagName)) node.properties = { id: `${scope}-${slugOf(textOf(node))}`, ...properties };
  const href = properties['href'];
  // Those of footnotes have the prefix already.
  if (tagName === 'a' && typeof href === 'string' && href.startsWith('#') && !href.startsWith(`#${scope}-`)) {
    properties['href'] = `#${scope}-${slugOf(decoded(href.slice(1)))}`;
  }
  for (const child of children) anchor(child, scope);
}

const textOf = ({ value = '', children = [] }: HtmlNode): string => value + children.map(textOf).join('');

const slugOf = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** A fragment as it was typed; one that is not encoded stays as it is. */
export function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
