import { chromium } from '@playwright/test';
import { chromium as chromiumPath } from '../scripts/testing/chromium.mjs';
import { cores, useAllCores } from './child.mjs';
import { startAuthor, startProduct } from './servers.mjs';

/** Selector of the messages of a conversation. */
export const CONVERSATION = '[role=region][aria-label=Conversation]';

/**
 * Runs `work` with the product and a browser, and closes both. All share the cores, because the page is measured and a
 * browser has several processes.
 */
export async function inBrowser(harness, databaseUrl, work) {
  const endings = [];
  try {
    const author = await startAuthor();
    endings.push(() => author.end());
    const server = await startProduct(harness, databaseUrl, author, { core: cores.all });
    endings.push(() => server.end('SIGKILL'));
    const browser = await openBrowser();
    endings.push(() => browser.close());
    return await work(browser, server);
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

async function openBrowser() {
  const takeBack = useAllCores();
  try {
    return await chromium.launch({
      executablePath: chromiumPath(),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  } finally {
    takeBack();
  }
}

/** Opens a page with an empty cache, with a session cookie or as a guest. */
export async function openPage(browser, server, cookie) {
  const baseURL = `http://127.0.0.1:${server.port}`;
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 800 } });
  if (cookie) {
    const [name, value] = cookie.split('=');
    await context.addCookies([{ name, value, url: baseURL }]);
  }
  return context.newPage();
}

/** Sends a message to servers/author.mjs and waits until the answer streams. */
export async function ask(page, words) {
  const composer = page.locator('main textarea').last();
  await composer.fill(words);
  await composer.press('Enter');
  await page.locator(`${CONVERSATION} [data-streaming]`).waitFor({ timeout: 60_000 });
}

/** Processor time of the page's main thread, ms. Unlike wall-clock time, it excludes other programs. */
export async function mainThread(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
}

/**
 * Records the tasks of the main thread of a browser's only page.
 * @returns stops the recording and returns the tasks in order: start `at`, wall-clock time `clock` and processor time
 * `processor`, all in ms
 */
export async function recordTasks(browser) {
  const session = await browser.newBrowserCDPSession();
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const traceConfig = { includedCategories: ['toplevel'], excludedCategories: ['*'] };
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    return tasksOf(events);
  };
}

function tasksOf(events) {
  const thread = ({ pid, tid }) => `${pid} ${tid}`;
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(thread);
  const threads = mains.map((main) =>
    events.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && event.tdur && thread(event) === main),
  );
  // The browser keeps a spare empty page, so the busiest main thread is the measured one.
  const busiest = threads.toSorted((a, b) => b.length - a.length)[0];
  return busiest
    .map(({ ts, dur, tdur }) => ({ at: ts / 1000, clock: dur / 1000, processor: tdur / 1000 }))
    .sort((a, b) => a.at - b.at);
}
