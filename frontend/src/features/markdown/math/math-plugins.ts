import 'katex/dist/katex.min.css';
// Chemistry: \ce and \pu.
import 'katex/contrib/mhchem';
import type { Options } from 'react-markdown';
import rehypeKatex from 'rehype-katex';
import remarkMath from 'remark-math';
import { remarkDisplayFormulas } from './display-formulas';

export interface MathPlugins {
  remarkPlugins: NonNullable<Options['remarkPlugins']>;
  rehypePlugins: NonNullable<Options['rehypePlugins']>;
}

/** Renders formulas without loading or linking anything, and with bounded macros. A broken formula shows its source. */
export const mathPlugins: MathPlugins = {
  remarkPlugins: [[remarkMath, { singleDollarTextMath: false }], remarkDisplayFormulas],
  rehypePlugins: [
    [rehypeKatex, { trust: false, strict: 'ignore', maxExpand: 500, maxSize: 20, errorColor: 'currentColor' }],
  ],
};
