import { createSystem, defaultBaseConfig, defineConfig } from '@chakra-ui/react';
import { animationStyles, breakpoints, globalCss, keyframes, layerStyles } from '@chakra-ui/react/theme';
import { recipes, slotRecipes } from './theme-recipes';
import { semanticTokens, textStyles, tokens } from './theme-tokens';

const stock = defineConfig({
  preflight: true,
  cssVarsPrefix: 'tanya',
  cssVarsRoot: ':where(html)',
  globalCss,
  theme: {
    breakpoints,
    keyframes,
    tokens,
    semanticTokens,
    recipes,
    slotRecipes,
    textStyles,
    layerStyles,
    animationStyles,
  },
});

const fieldStyle = {
  borderColor: 'border.emphasized',
  bg: 'bg.panel',
  '--focus-color': 'colors.jade.focusRing',
};

/** What sets this product apart from stock Chakra. */
const own = defineConfig({
  globalCss: {
    html: { fontFamily: 'body', textRendering: 'optimizeLegibility', height: '100%' },
    body: { height: '100%', overflow: 'hidden', fontSize: 'sm' },
    '#root': { height: '100%' },
    '*::placeholder, *[data-placeholder]': { color: 'fg.subtle', opacity: 1 },
    '*::selection': { bg: 'jade.muted' },
  },
  theme: {
    recipes: {
      button: {
        base: { transitionDuration: 'fast' },
        variants: {
          size: {
            md: { '@media (pointer: coarse)': { minH: '10', minW: '10' } },
            sm: { '@media (pointer: coarse)': { minH: '10', minW: '10' } },
            xs: { '@media (pointer: coarse)': { minH: '10', minW: '10' } },
          },
        },
      },
      input: { variants: { variant: { outline: fieldStyle } } },
      textarea: { variants: { variant: { outline: fieldStyle } } },
      skeleton: { variants: { variant: { pulse: { bg: 'bg.muted' } } } },
    },
    slotRecipes: {
      dialog: {
        slots: [...slotRecipes.dialog.slots],
        base: {
          backdrop: {
            bg: { _light: 'blackAlpha.500', _dark: 'blackAlpha.700' },
            _open: { animationDuration: 'fast' },
            _closed: { animationDuration: '1ms' },
          },
          content: { _open: { animationDuration: 'fast' }, _closed: { animationDuration: '1ms' } },
          title: { textStyle: 'lg' },
        },
      },
      nativeSelect: {
        slots: [...slotRecipes.nativeSelect.slots],
        variants: { variant: { outline: { field: fieldStyle } } },
      },
      table: {
        slots: [...slotRecipes.table.slots],
        base: { root: { fontVariantNumeric: 'tabular-nums' } },
      },
    },
  },
});

export const system = createSystem(defaultBaseConfig, stock, own);
