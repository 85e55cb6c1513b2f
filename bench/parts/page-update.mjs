import { CONVERSATION, ask, inBrowser, mainThread, openPage } from '../browser.mjs';
import { essay } from '../essay.mjs';
import { figure } from '../figures.mjs';

/** Just below the frame rate, at which the server does not batch tokens yet. */
const TPS = 58;
const FRAME_MS = 16;
const CASES = [
  { name: '2,000 characters', start: 2_000 },
  { name: '10,000 characters', start: 10_000, atMost: 2.5 },
  { name: '50,000 characters', start: 50_000, atMost: 3.6 },
  { name: '10,000 characters, the end a long open code block', start: 10_000, fence: 4_400, atMost: 4 },
];

/** Cost of one update of a growing answer on the main thread, and of plain textContent as baseline. */
export async function run({ harness, quick, members }) {
  const { url, cookies } = await members(2, 'page');
  const seconds = quick ? 3 : 6;
  return inBrowser(harness, url, async (browser, server) => {
    const figures = [];
    for (const { name, start, fence = 0, atMost } of CASES) {
      const page = await openPage(browser, server, cookies[0]);
      await page.goto('/');
      await ask(page, `start=${start} tokens=${TPS * (seconds + 4)} tps=${TPS} fence=${fence}`);
      await page.waitForTimeout(2_000);
      const product = await costOfUpdate(page, CONVERSATION, seconds);
      const floor = await costOfUpdate(await floorPage(browser, start), 'p', seconds);
      await Promise.all(browser.contexts().map((context) => context.close()));
      figures.push(figure(`an update of a growing answer, ${name}`, product, 'ms', { atMost }));
      figures.push(figure(`the same as plain textContent (floor), ${name}`, floor, 'ms'));
    }
    return figures;
  });
}

async function costOfUpdate(page, selector, seconds) {
  const spent = await mainThread(page);
  await page.evaluate((selector) => {
    window.updates = 0;
    const count = () => (window.updates += 1);
    const what = { childList: true, characterData: true, subtree: true };
    new MutationObserver(count).observe(document.querySelector(selector), what);
  }, selector);
  const before = await spent();
  await page.waitForTimeout(seconds * 1000);
  const cost = (await spent()) - before;
  return cost / (await page.evaluate(() => window.updates));
}

/** Opens a page that only sets the text of a paragraph in each frame. */
async function floorPage(browser, start) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent(
    '<div style="height:100vh;overflow:auto"><p style="width:800px;white-space:pre-wrap;font:15px/1.6 sans-serif"></p></div>',
  );
  await page.evaluate(
    ({ text, start, every }) => {
      const paragraph = document.querySelector('p');
      let length = start;
      setInterval(() => {
        length += 5;
        paragraph.textContent = text.slice(0, length);
        paragraph.parentElement.scrollTop = paragraph.parentElement.scrollHeight;
      }, every);
    },
    { text: essay(start + 5_000), start, every: FRAME_MS },
  );
  return page;
}
