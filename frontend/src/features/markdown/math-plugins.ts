import 'katex/dist/katex.min.css';
import rehypeKatex from 'rehype-katex';
import remarkMath from 'remark-math';
import type { MathPlugins } from './use-math';

/** Formulas may neither load nor link anything, nor grow without end; a broken one shows its source. */
export const mathPlugins: MathPlugins = {
  remarkPlugins: [[remarkMath, { singleDollarTextMath: false }]],
  rehypePlugins: [
    [rehypeKatex, { trust: false, strict: 'ignore', maxExpand: 500, maxSize: 20, errorColor: 'currentColor' }],
  ],
};
