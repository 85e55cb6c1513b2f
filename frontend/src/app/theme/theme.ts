import { createSystem, defaultBaseConfig, defineConfig, type SystemConfig, type SystemContext } from '@chakra-ui/react';
import { animationStyles, breakpoints, layerStyles } from '@chakra-ui/react/theme';
import { fieldStyle, recipes } from './theme-recipes';
import { semanticTokens, textStyles, tokens } from './theme-tokens';

/** Chakra drops tokens whose value is empty. */
const ANY_VALUE = 'unset';

/** The names alone: the style sheet has the values (theme-globals.ts), and computing them takes long on a phone. */
function withoutValues(group: object): object {
  if ('value' in group) return { value: ANY_VALUE };
  return Object.fromEntries(Object.entries(group).map(([name, entry]) => [name, withoutValues(entry as object)]));
}

const stock = defineConfig({
  cssVarsPrefix: 'tanya',
  cssVarsRoot: ':where(html)',
  theme: {
    breakpoints,
    tokens,
    semanticTokens: withoutValues(semanticTokens),
    recipes,
    textStyles,
    layerStyles,
    animationStyles,
  },
});

const own = defineConfig({
  theme: {
    recipes: {
      button: {
        base: { transitionDuration: 'fast' },
        variants: {
          variant: { solid: { _hover: { bg: 'colorPalette.hover' }, _expanded: { bg: 'colorPalette.hover' } } },
        },
      },
      input: { variants: { variant: { outline: fieldStyle } } },
      textarea: { variants: { variant: { outline: fieldStyle } } },
    },
  },
});

let theme: SystemContext | null = null;
let lateConfig: SystemConfig | null = null;

/** Computes all tokens and the recipes of the first screen, which is slow on a phone. Global styles are in theme-globals.ts. */
export function createTheme(...more: SystemConfig[]): SystemContext {
  theme = createSystem(defaultBaseConfig, stock, own, ...more);
  addLateRecipes();
  return theme;
}

/**
 * Adds the recipes that only lazy code uses to the theme. Chakra reads a recipe when a component first asks for it, so the
 * recipes must be added before such code renders.
 */
export async function loadLateRecipes(): Promise<void> {
  ({ lateConfig } = await import('./late-recipes'));
  addLateRecipes();
}

/** Does nothing until both the theme and the recipes exist. */
function addLateRecipes(): void {
  const config = theme?._config.theme;
  if (!config || !lateConfig) return;
  config.recipes = { ...lateConfig.theme?.recipes, ...config.recipes };
  config.slotRecipes = { ...lateConfig.theme?.slotRecipes };
}
