import 'katex/dist/katex.min.css';
// Chemistry: \ce and \pu.
import 'katex/contrib/mhchem';
import type { Options } from 'react-markdown';
import rehypeKatex from 'rehype-katex';
import remarkMath from 'remark-math';
import { macros, readableTex } from './tex';
import type { MarkdownNode } from '../nodes';

/** A node of hast, as far as this file reads it. */
interface ElementNode {
  type: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: ElementNode[];
}

type Render = ReturnType<typeof rehypeKatex>;
type Root = Parameters<Render>[0];
type File = Parameters<Render>[1];

/** Renders formulas without loading or linking anything, and with bounded macros. A broken formula shows its source. */
const render = rehypeKatex({
  trust: false,
  strict: 'ignore',
  maxExpand: 500,
  maxSize: 20,
  errorColor: 'currentColor',
  get macros() {
    return macros();
  },
});

/** Number of formulas in the cache: a growing text renders its formulas at each update. */
const CACHE_SIZE = 500;
const cache = new Map<string, ElementNode[]>();

function rehypeFormulas() {
  return (root: ElementNode, file: unknown) => renderFormulas(root, file as File);
}

function renderFormulas(parent: ElementNode, file: File): void {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((node) => {
    const classes = node.properties?.['className'];
    if (Array.isArray(classes) && classes.includes('language-math')) return rendered(node, classes, file);
    renderFormulas(node, file);
    return [node];
  });
}

function rendered(formula: ElementNode, classes: unknown[], file: File): ElementNode[] {
  const key = `${classes.join(' ')}\n${formula.children?.map(({ value }) => value).join('')}`;
  const known = cache.get(key);
  if (known) return known;
  const root: ElementNode = { type: 'root', children: [formula] };
  render(root as unknown as Root, file);
  cache.set(key, root.children!);
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
  return root.children!;
}

/** Shows the formulas that `unifyMath` has written between three dollars on lines of their own, and makes all readable. */
function remarkFormulas() {
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

export interface MathPlugins {
  remarkPlugins: NonNullable<Options['remarkPlugins']>;
  rehypePlugins: NonNullable<Options['rehypePlugins']>;
}

export const mathPlugins: MathPlugins = {
  remarkPlugins: [[remarkMath, { singleDollarTextMath: false }], remarkFormulas],
  rehypePlugins: [rehypeFormulas],
};
