import { createTheme } from './theme';

test.each(['dialog', 'drawer'])('a %s enters at once and leaves at once', (name) => {
  const { base } = createTheme().getSlotRecipe(name);
  for (const slot of ['backdrop', 'content']) {
    expect(base?.[slot]).toMatchObject({
      _open: { animationDuration: 'fast', animationTimingFunction: 'ease-out' },
      _closed: { animationDuration: '1ms' },
    });
  }
});
