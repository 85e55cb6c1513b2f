import { ask, inBrowser, mainThread, openPage, recordTasks } from '../browser.mjs';
import { figure } from '../figures.mjs';

const TPS = 200;
const CHARACTERS_A_TOKEN = 5;
const KEYS = 40;
/** Share of the characters that is shown when the last fifth begins; Markdown syntax is not shown. */
const SHOWN = 0.68;
/** Time for work after the last token, such as highlighting, ms. */
const REST_MS = 3_000;

/** A long answer of a fast model, with keystrokes while it streams. */
export async function run({ harness, quick, members }) {
  const { url, cookies } = await members(2, 'page');
  const characters = quick ? 10_000 : 50_000;
  const tokens = characters / CHARACTERS_A_TOKEN;
  const windowMs = ((tokens / TPS) * 1000) / 5;
  return inBrowser(harness, url, async (browser, server) => {
    const page = await openPage(browser, server, cookies[0]);
    await page.addInitScript(() => {
      window.keystrokes = [];
      const note = (found) => window.keystrokes.push(...found.getEntries().map(({ duration }) => duration));
      // The smallest duration that browsers report.
      new PerformanceObserver(note).observe({ type: 'event', durationThreshold: 16 });
    });
    await page.goto('/');
    await page.waitForTimeout(3_000);
    const spent = await mainThread(page);
    await ask(page, `start=0 tokens=${tokens} tps=${TPS}`);
    const endOfRecord = await recordTasks(browser);
    const costOfWindow = async () => {
      const before = await spent();
      await page.waitForTimeout(windowMs);
      return ((await spent()) - before) / ((TPS * windowMs) / 1000);
    };
    await page.waitForTimeout(windowMs / 4);
    const early = await costOfWindow();
    const keystroke = await type(page);
    await streamed(page, characters * SHOWN);
    const late = await costOfWindow();
    await streamed(page, Infinity);
    await page.waitForTimeout(REST_MS);
    const tasks = await endOfRecord();
    const longest = (kind) => Math.max(...tasks.map((task) => task[kind]));
    const name = `${characters.toLocaleString('en')} characters at ${TPS} tokens a second`;
    return [
      figure(`tasks of more than 50 ms of processor time, ${name}`, tasks.filter(isLong).length, '', { atMost: 0 }),
      figure(`longest task, ${name}`, longest('processor'), 'ms'),
      figure('the same by the clock, with its waits for a core', longest('clock'), 'ms'),
      figure(`main thread for a token, second fifth of ${name}`, early, 'ms'),
      figure(`the last fifth against it`, late / early, '×', { atMost: 1.5 }),
      figure('worst keystroke while an answer is written (16 or less shows as 16)', keystroke, 'ms', { atMost: 30 }),
    ];
  });
}

const isLong = ({ processor }) => processor > 50;

/** Longest time from a key press to the next paint, ms. */
async function type(page) {
  await page.evaluate(() => (window.keystrokes.length = 0));
  await page.locator('main textarea').last().focus();
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'a');
    await page.waitForTimeout(80);
  }
  return page.evaluate(() => Math.max(16, ...window.keystrokes));
}

/** Waits until this many characters are shown, or the end. It polls rarely, because the page is being measured. */
async function streamed(page, length) {
  const shown = () => page.evaluate(() => document.querySelector('[data-streaming]')?.textContent.length ?? Infinity);
  while ((await shown()) < length) await page.waitForTimeout(500);
}
