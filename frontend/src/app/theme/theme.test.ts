import { jest } from '@jest/globals';
import { serializeStyles } from '@emotion/serialize';
import { globalStyles } from './theme-globals';
import { createTheme } from './theme';

test('the style sheet has the values of the tokens, for light and dark', () => {
  const { styles } = serializeStyles([globalStyles()] as never);
  expect(styles).toMatch(/\.light[^{]*\{[^}]*--tanya-colors-bg-panel:\s*var\(--tanya-colors-white\)/);
  expect(styles).toMatch(/\.dark[^{]*\{[^}]*--tanya-colors-bg-panel:\s*#1B1C1A/);
  expect(styles).toMatch(/\.dark[^{]*\{[^}]*--tanya-shadows-md:/);
});

test('the theme of the browser refers to those values by name', () => {
  const { css } = createTheme();
  expect(css({ bg: 'bg.panel', borderRadius: 'l2', color: 'jade.fg/50' })).toEqual(
    expect.objectContaining({ background: 'var(--tanya-colors-bg-panel)', borderRadius: 'var(--tanya-radii-l2)' }),
  );
});

test('late recipes that load before the theme are part of it', async () => {
  jest.resetModules();
  const { createTheme, loadLateRecipes } = await import('./theme');
  await loadLateRecipes();
  const { hasRecipe } = createTheme();
  expect(['button', 'kbd', 'menu'].filter(hasRecipe)).toEqual(['button', 'kbd', 'menu']);
});
