import { ask, inBrowser, mainThread, openPage } from '../browser.mjs';
import { figure } from '../figures.mjs';

const TPS = 200;
const CHARACTERS_A_TOKEN = 5;
const KEYS = 40;
/** What comes after the last token, such as colours, belongs to the answer too. */
const REST_MS = 3_000;

/** A long answer of a fast model, from its first token to its end, with somebody who writes meanwhile. */
export async function run({ ground, quick, members }) {
  const { url, cookies } = await members(2, 'page');
  const characters = quick ? 10_000 : 50_000;
  const tokens = characters / CHARACTERS_A_TOKEN;
  const windowMs = ((tokens / TPS) * 1000) / 5;
  return inBrowser(ground, url, async (browser, server) => {
    const page = await openPage(browser, server, cookies[0]);
    await page.addInitScript(() => {
      window.longTasks = [];
      window.keystrokes = [];
      const watch = (type, list, options) =>
        new PerformanceObserver((found) => list.push(...found.getEntries().map(({ duration }) => duration))).observe({
          type,
          ...options,
        });
      watch('longtask', window.longTasks);
      // The least that the browser tells; a shorter one is no concern.
      watch('event', window.keystrokes, { durationThreshold: 16 });
    });
    await page.goto('/');
    await page.waitForTimeout(3_000);
    const spent = await mainThread(page);
    await ask(page, `start=0 tokens=${tokens} tps=${TPS}`);
    await page.evaluate(() => (window.longTasks.length = 0));
    const costOfWindow = async () => {
      const before = await spent();
      await page.waitForTimeout(windowMs);
      return ((await spent()) - before) / ((TPS * windowMs) / 1000);
    };
    await page.waitForTimeout(windowMs / 4);
    const early = await costOfWindow();
    await type(page);
    await page.getByRole('button', { name: /^stop/i }).waitFor();
    const late = await untilLastFifth(page, characters).then(costOfWindow);
    await page.getByRole('button', { name: /^stop/i }).waitFor({ state: 'detached', timeout: 120_000 });
    await page.waitForTimeout(REST_MS);
    const { longTasks, keystrokes } = await page.evaluate(() => ({
      longTasks: window.longTasks,
      keystrokes: window.keystrokes,
    }));
    const name = `${characters.toLocaleString('en')} characters at ${TPS} tokens a second`;
    return [
      figure(`long tasks of more than 50 ms, ${name}`, longTasks.length, '', { atMost: 0 }),
      figure(`longest of them, ${name}`, Math.max(0, ...longTasks), 'ms'),
      figure(`main thread for a token, second fifth of ${name}`, early, 'ms'),
      figure(`the last fifth against it`, late / early, '×', { atMost: 1.5 }),
      figure('worst keystroke while an answer is written (16 or less shows as 16)', Math.max(16, ...keystrokes), 'ms', {
        atMost: 30,
      }),
    ];
  });
}

async function type(page) {
  await page.evaluate(() => (window.keystrokes.length = 0));
  await page.locator('main textarea').last().focus();
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'a');
    await page.waitForTimeout(80);
  }
}

async function untilLastFifth(page, characters) {
  const length = () => page.evaluate(() => document.querySelector('[data-streaming]')?.textContent.length ?? Infinity);
  // Marks of Markdown do not show, so the text is shorter than what was written.
  while ((await length()) < characters * 0.68) await page.waitForTimeout(250);
}
