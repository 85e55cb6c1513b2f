import 'katex/dist/katex.min.css';
// Chemistry: \ce and \pu.
import 'katex/contrib/mhchem';
import type { Options } from 'react-markdown';
import remarkMath from 'remark-math';
import { rehypeFormulas } from './rendered-formulas';
import { remarkFormulas } from './read-formulas';

export interface MathPlugins {
  remarkPlugins: NonNullable<Options['remarkPlugins']>;
  rehypePlugins: NonNullable<Options['rehypePlugins']>;
}

export const mathPlugins: MathPlugins = {
  remarkPlugins: [[remarkMath, { singleDollarTextMath: false }], remarkFormulas],
  rehypePlugins: [rehypeFormulas],
};
