import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { APIRequestContext, Locator, Page, Response } from '@playwright/test';
import { TEXTS } from '@tanya/contract';
import { expect, test } from '../journey.js';

const budget = JSON.parse(readFileSync(new URL('../../budget.json', import.meta.url), 'utf8')) as {
  firstJavaScriptGzipBytes: number;
};

/** An entry of `PerformanceObserver` that the types of the DOM do not know yet. */
interface LayoutShift extends PerformanceEntry {
  value: number;
}

declare global {
  interface Window {
    shifts: number;
  }
}

test.use({ prefetches: true });

test('home loads little JavaScript before it is usable, compressed', async ({ page, chat }) => {
  const scripts: Response[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response);
  });
  // Code that is loaded when the page is idle does not delay it, so it is excluded here.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  const connected = page.waitForEvent('websocket');
  await chat.open();
  await connected;
  await page.waitForLoadState('networkidle');

  const bodies = await Promise.all(scripts.map((script) => script.body()));
  const gzipped = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  expect(gzipped).toBeGreaterThan(0);
  expect(gzipped).toBeLessThanOrEqual(budget.firstJavaScriptGzipBytes);
  for (const [index, script] of scripts.entries()) {
    const isLarge = (bodies[index]?.length ?? 0) > 1_000;
    if (isLarge) expect(script.headers()['content-encoding'], script.url()).toMatch(/^(br|gzip)$/);
  }
});

for (const [device, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['desk', { width: 1440, height: 900 }],
] as const) {
  test.describe(`on a ${device}`, () => {
    test.use({ viewport });

    test('home has a first paint before its scripts load, and does not shift afterwards', async ({ page, chat }) => {
      await sumShifts(page);
      const release = await holdScripts(page);
      await page.goto('/', { waitUntil: 'commit' });
      await expect(page.getByText(TEXTS.defaults.welcomeMessage)).toBeVisible();
      await expect(page).toHaveTitle(TEXTS.defaults.siteTitle);
      const outlined = await places(page, '.first-paint-composer');
      // After seconds of loading.
      const bar = () => page.evaluate(() => getComputedStyle(document.querySelector('.first-paint')!, '::before'));
      await expect.poll(bar).toMatchObject({ content: '""', visibility: 'visible' });

      release();
      await expect(chat.composer).toBeEnabled();
      await expect(page.locator('.first-paint')).toHaveCount(0);
      // Only the app shows the note of the demo mode.
      await expect(page.getByRole('note')).toBeVisible();
      expect(await places(page, 'main div:has(> textarea)')).toEqual(outlined);
      // Browsers count boxes that move, even where nothing is seen to move. The outlines in the site's font are 0.013.
      expect(await page.evaluate(() => window.shifts)).toBeLessThan(0.03);
    });

    test('a shared conversation is readable before its scripts load, and does not shift afterwards', async ({
      administrator,
      page,
    }) => {
      const path = await shareConversation(administrator, 'Write a haiku about a rainbow');
      const sockets: string[] = [];
      page.on('websocket', (socket) => sockets.push(socket.url()));
      const release = await holdScripts(page);
      await page.goto(path, { waitUntil: 'commit' });
      const outlined = page.locator('.first-paint-text');
      await expect(outlined.first()).toHaveText('Write a haiku about a rainbow');
      await expect(outlined).toHaveCount(2);
      const early = {
        title: await textPlace(page.locator('.first-paint-heading')),
        question: await textPlace(outlined.first()),
      };
      release();
      await expect(page.getByRole('button', { name: 'Continue as my own chat' })).toBeVisible();
      await expect(page.locator('.first-paint')).toHaveCount(0);
      const question = page.getByRole('article', { name: 'Shared by user' }).getByText('Write a haiku about a rainbow');
      expect({
        title: await textPlace(page.getByRole('heading', { level: 1 })),
        question: await textPlace(question),
      }).toEqual(early);
      expect(sockets).toEqual([]);
    });
  });
}

test('a first message and its pending answer are shown before the code of conversations loads', async ({
  page,
  chat,
}) => {
  const release = await holdScripts(page, '**/assets/conversation-*.js');
  await chat.open();
  await chat.send('Write a haiku about a rainbow');
  await expect(page.getByText(TEXTS.chat.thinking)).toBeAttached();
  const words = chat.ownMessages.getByText('rainbow');
  const early = await words.boundingBox();
  release();
  await chat.answerEnds();
  await expect(chat.ownMessages).toHaveCount(1);
  // The answer may scroll the message up.
  expect(await words.boundingBox()).toEqual({ ...early, y: expect.any(Number) });
});

/** Sums the layout shifts of the page in `window.shifts`. */
async function sumShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shifts += (entry as LayoutShift).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Delays matching scripts. @returns releases them */
async function holdScripts(page: Page, scripts = '**/assets/*.js'): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(scripts, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

/** Shares a new thread with an answer; returns the path of its link. */
async function shareConversation(administrator: APIRequestContext, content: string): Promise<string> {
  const sent = await administrator.post('/api/chat/message', { data: { content } });
  const { threadId } = (await sent.json()) as { threadId: number };
  const shared = await administrator.post(`/api/chat/threads/${threadId}/share`, { data: {} });
  return new URL(((await shared.json()) as { url: string }).url).pathname;
}

/** Position of a text, in whole pixels. */
async function textPlace(element: Locator) {
  return element.evaluate(async (node) => {
    await document.fonts.ready;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { x, y } = range.getBoundingClientRect();
    return { x: Math.round(x), y: Math.round(y) };
  });
}

/** Positions of the welcome message and of the composer, in the fonts of the page. */
async function places(page: Page, field: string) {
  await page.evaluate(async () => document.fonts.ready);
  const welcome = await page.getByText(TEXTS.defaults.welcomeMessage).boundingBox();
  const logo = page.locator('svg:has(> use[href="#mark"]):visible').first();
  return { welcome: welcome?.y, field: await page.locator(field).boundingBox(), logo: await logo.boundingBox() };
}
