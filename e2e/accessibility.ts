import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Violations that axe finds on the current screen, one line per element. Other results are not collected: most of the
 * time would go into the selectors of elements that pass.
 */
async function violationsOf(page: Page): Promise<string[]> {
  const builder = new AxeBuilder({ page }).setLegacyMode();
  const rules = { 'target-size': { enabled: true } };
  const { violations } = await builder.options({ rules, resultTypes: ['violations'] }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}

/** Waits until finite animations have ended, such as the transition of colours between themes. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect, playState }) => {
      return playState !== 'running' || effect?.getComputedTiming().endTime === Infinity;
    }),
  );
}

/** Checks both themes. A violation does not end the test, so that one run reports all screens. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveClass(new RegExp(`\\b${colorScheme}\\b`));
    await settled(page);
    expect.soft(await violationsOf(page), `${screen}, ${colorScheme}`).toEqual([]);
  }
}
