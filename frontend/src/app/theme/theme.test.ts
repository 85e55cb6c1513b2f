import { jest } from '@jest/globals';
import { serializeStyles } from '@emotion/serialize';
import { globalStyles } from './theme-globals';
import { createTheme } from './theme';
import { semanticTokens } from './theme-tokens';

/** The value of a token in CSS: a reference such as `{colors.white}` becomes a variable. */
const cssOf = (value: string) =>
  value.replace(/^\{(.+)\}$/, (_, path: string) => `var(--tanya-${path.replaceAll('.', '-')})`);

test('the style sheet has the values of the tokens, for light and dark', () => {
  const { styles } = serializeStyles([globalStyles()] as never);
  const panelOf = (scheme: string) =>
    new RegExp(`\\.${scheme}[^{]*\\{[^}]*--tanya-colors-bg-panel:\\s*([^;}]+)`).exec(styles)?.[1];
  const { _light, _dark } = semanticTokens.colors.bg.panel.value;
  expect([panelOf('light'), panelOf('dark')]).toEqual([cssOf(_light), cssOf(_dark)]);
  expect(panelOf('dark')).not.toBe(panelOf('light'));
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
  const names = ['button', 'kbd', 'link', 'menu', 'progress'];
  expect(names.filter(hasRecipe)).toEqual(names);
});
