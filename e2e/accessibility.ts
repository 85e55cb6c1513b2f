import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Other results are not collected: most of the time would go into the selectors of elements that pass. */
const options: axe.RunOptions = { rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] };

/** Violations that axe finds on the current screen, one line per element. A document loads axe once. */
async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const violations = await page.evaluate(async (given) => {
    const { axe: loaded } = window as unknown as { axe: typeof axe };
    return (await loaded.run(document, given)).violations;
  }, options);
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
