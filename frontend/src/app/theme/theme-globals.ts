import { defineConfig } from '@chakra-ui/react';
import { globalCss, keyframes } from '@chakra-ui/react/theme';
import type { GlobalProps } from '@emotion/react';
import { createTheme } from './theme';

const stock = defineConfig({ preflight: true, globalCss, theme: { keyframes } });

const own = defineConfig({
  globalCss: {
    html: { fontFamily: 'body', textRendering: 'optimizeLegibility', height: '100%' },
    body: { height: '100%', overflow: 'hidden', fontSize: 'sm', overflowWrap: 'break-word' },
    // Chakra's reset says it of each element, so that what is said of the one around it would go unheard.
    '*': { overflowWrap: 'inherit' },
    '*::placeholder, *[data-placeholder]': { color: 'fg.subtle', opacity: 1 },
    '*::selection': { bg: 'jade.muted' },
    // Code is shown as it is typed, without the arrows and slashes that the font would join.
    'code, pre, kbd': { fontVariantLigatures: 'none' },
  },
});

/** The reset, the tokens and all that goes for whole pages; the build makes a style sheet of it (vite.config.ts). */
export function globalStyles(): GlobalProps['styles'] {
  const { layers, _global } = createTheme(stock, own);
  return [layers.atRule, ..._global];
}
