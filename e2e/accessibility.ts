import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Other results are not collected: most of the time would go into the selectors of elements that pass. */
const ALL_RULES: axe.RunOptions = { rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] };

/** Rules whose result depends on colours. Themes differ in nothing else. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

const COLOUR_RULES: axe.RunOptions = { runOnly: { type: 'rule', values: OF_COLOURS }, resultTypes: ['violations'] };

const RULES_WITHOUT_COLOURS: axe.RunOptions = {
  ...ALL_RULES,
  rules: { ...ALL_RULES.rules, ...Object.fromEntries(OF_COLOURS.map((rule) => [rule, { enabled: false }])) },
};

/** Violations that axe finds on the current screen, one line per element. A document loads axe once. */
async function violationsOf(page: Page, options: axe.RunOptions): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const violations = await page.evaluate(async (given) => {
    const { axe: loaded } = window as unknown as { axe: typeof axe };
    return (await loaded.run(document, given)).violations;
  }, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)}: ${failureSummary ?? ''}`),
  );
}

/** Waits until finite animations in time have ended. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect, playState, timeline }) => {
      return (
        playState !== 'running' || timeline !== document.timeline || effect?.getComputedTiming().endTime === Infinity
      );
    }),
  );
}

/**
 * Checks all rules in the current theme, and those of colours in the other one, which then stays: a screen changes its theme once.
 * A violation does not end the test, so that one run reports all screens.
 */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  const isDark = await page.evaluate(() => document.documentElement.classList.contains('dark'));
  await expectAccessibleIn(page, screen, [
    [isDark ? 'dark' : 'light', ALL_RULES],
    [isDark ? 'light' : 'dark', COLOUR_RULES],
  ]);
}

/** Checks what depends on the texts of a screen whose colours are checked in another language. */
export async function expectAccessibleTexts(page: Page, screen: string): Promise<void> {
  await expectAccessibleIn(page, screen, [['light', RULES_WITHOUT_COLOURS]]);
}

/**
 * Lets colours change at once: a transition that begins late would be measured half way. A style sheet of the document
 * itself is none that the page's policy refuses.
 */
async function withoutTransitions(page: Page, work: () => Promise<void>): Promise<void> {
  const sheet = await page.evaluateHandle(() => {
    const added = new CSSStyleSheet();
    added.replaceSync('*, ::before, ::after { transition: none !important; }');
    document.adoptedStyleSheets.push(added);
    return added;
  });
  await work();
  await sheet.evaluate((added) => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== added);
  });
}

async function expectAccessibleIn(
  page: Page,
  screen: string,
  checks: ['light' | 'dark', axe.RunOptions][],
): Promise<void> {
  for (const [colorScheme, rules] of checks) {
    await withoutTransitions(page, async () => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expect(page.locator('html')).toHaveClass(new RegExp(`\\b${colorScheme}\\b`));
      await settled(page);
      expect.soft(await violationsOf(page, rules), `${screen}, ${colorScheme}`).toEqual([]);
    });
  }
}
