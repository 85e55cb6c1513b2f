import { defineConfig } from '@chakra-ui/react';
import { globalCss, keyframes } from '@chakra-ui/react/theme';
import type { GlobalProps } from '@emotion/react';
import { createTheme } from './theme';
import { semanticTokens } from './theme-tokens';

const stock = defineConfig({ preflight: true, globalCss, theme: { keyframes, semanticTokens } });

const own = defineConfig({
  globalCss: {
    html: { fontFamily: 'body', textRendering: 'optimizeLegibility', height: '100%' },
    body: { height: '100%', overflow: 'hidden', fontSize: 'sm', overflowWrap: 'break-word' },
    // Chakra's reset sets `overflow-wrap` on each element, which would override an inherited value.
    '*': { overflowWrap: 'inherit' },
    '*::placeholder, *[data-placeholder]': { color: 'fg.subtle', opacity: 1 },
    '*::selection': { bg: 'jade.muted' },
    // No ligatures in code: the font would join `->` and `//`.
    'code, pre, kbd': { fontVariantLigatures: 'none' },
  },
});

/** Reset, tokens and global styles; the build writes them into the style sheet (vite.config.ts). */
export function globalStyles(): GlobalProps['styles'] {
  const { layers, _global } = createTheme(stock, own);
  return [layers.atRule, ..._global];
}
