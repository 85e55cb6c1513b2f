/** Its types describe the package alone, not the file that holds all of it. */
declare module 'mathjs/lib/browser/math.js' {
  import type { ConfigOptions, MathJsInstance } from 'mathjs';

  const mathjs: { create(config: ConfigOptions): MathJsInstance };
  export default mathjs;
}
