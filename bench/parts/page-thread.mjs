import { CONVERSATION, inBrowser, openPage } from '../browser.mjs';
import { essay } from '../essay.mjs';
import { figure } from '../figures.mjs';
import { seedConversations } from '../seed.mjs';

const THREADS = 1_000;
const MESSAGES = 1_000;
const TITLE = 'The long conversation';
const LAST_WORDS = 'the very last words';

/** Opens a thread of 1,000 messages, and scrolls a list of 1,000 threads. */
export async function run({ harness, members }) {
  const { url, cookies, ids } = await members(2, 'page_thread');
  // The first member owns every second thread.
  await seedConversations(url, { threads: 2 * THREADS, users: 1, heavy: ids[0], ordinary: ids[1] });
  await seedLongThread(harness, url);
  return inBrowser(harness, url, async (browser, server) => {
    const page = await openPage(browser, server, cookies[0]);
    await page.goto('/');
    await page.getByRole('link', { name: TITLE }).waitFor();
    await page.waitForTimeout(2_000);
    const first = await open(page);
    const firstNodes = await nodes(page);
    await loadAll(page);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.waitForTimeout(1_000);
    const again = await open(page);
    const nodesOfAll = await nodes(page);
    const frames = await scrollThreads(page);
    return [
      figure('a thread of 1,000 messages, shown after its data', first.afterData, 'ms', { atMost: 500 }),
      figure('elements of the page then', firstNodes, '', { atMost: 1500 }),
      figure('the same with all of its messages loaded, shown after the click', again.afterClick, 'ms', {
        atMost: 500,
      }),
      figure('elements of the page with all 1,000 messages loaded', nodesOfAll, '', { atMost: 1500 }),
      figure('frames of more than 50 ms while 1,000 threads are scrolled', frames.late, '', { atMost: 0 }),
      figure('longest of these frames', frames.longest, 'ms'),
    ];
  });
}

/** Inserts short questions and answers of some paragraphs, with code in every tenth. */
async function seedLongThread(harness, url) {
  const run = (text, values) => harness.query(url, text, values);
  const [known] = await run('select id from thread where title = $1', [TITLE]);
  if (known) return;
  const [{ id }] = await run(
    `insert into thread (owner, user_id, title, model_id, created_at, updated_at)
     select owner, user_id, $1, model_id, now(), now() from thread where id = 2 returning id`,
    [TITLE],
  );
  const long = essay(20_000);
  const texts = Array.from({ length: MESSAGES }, (_, index) => {
    if (index === MESSAGES - 1) return LAST_WORDS;
    if (index % 2 === 0) return `Question ${index}: what else does the harbour teach?`;
    const at = long.indexOf('\n\n', (index * 37) % 15_000) + 2;
    return long.slice(at, at + (index % 10 === 1 ? 1_500 : 500));
  });
  const [{ base }] = await run(`select coalesce(max(id), 0)::int as base from message`);
  await run(
    `insert into message (id, thread_id, parent_id, user_id, content, is_user_message, model_id)
     select $1 + n, $2, case when n > 1 then $1 + n - 1 end, (select user_id from thread where id = $2),
            text, n % 2 = 1, case when n % 2 = 0 then 'openai/gpt-4o-mini' end
     from unnest($3::text[]) with ordinality as given (text, n) order by n`,
    [base, id, texts],
  );
  await run('update thread set active_leaf_id = $1 where id = $2', [base + MESSAGES, id]);
  await run(`select setval(pg_get_serial_sequence('message', 'id'), $1)`, [base + MESSAGES]);
}

/** Opens the thread from the list. It counts as shown in the frame after its newest message appears. */
async function open(page) {
  return page.evaluate(
    async ({ title, lastWords, conversation }) => {
      const link = [...document.querySelectorAll('nav a')].find((each) => each.textContent.includes(title));
      const clickedAt = performance.now();
      link.click();
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      while (!document.querySelector(conversation)?.textContent.includes(lastWords)) await frame();
      await frame();
      const shownAt = performance.now();
      const reads = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/messages'));
      return { afterClick: shownAt - clickedAt, afterData: shownAt - (reads.at(-1)?.responseEnd ?? clickedAt) };
    },
    { title: TITLE, lastWords: LAST_WORDS, conversation: CONVERSATION },
  );
}

async function nodes(page) {
  await page.waitForTimeout(1_500);
  return page.evaluate(() => document.querySelectorAll('*').length);
}

/** Scrolls up until the first message is loaded. */
async function loadAll(page) {
  const isFirstLoaded = () =>
    page.evaluate(
      (conversation) => document.querySelector(conversation).textContent.includes('Question 0:'),
      CONVERSATION,
    );
  while (!(await isFirstLoaded())) {
    await page.evaluate((conversation) => (document.querySelector(conversation).scrollTop = 0), CONVERSATION);
    await page.waitForTimeout(100);
  }
}

/** Scrolls through the whole list and back at a fast pace. */
async function scrollThreads(page) {
  const count = () => page.locator('[data-scroller] li').count();
  while ((await count()) < THREADS) {
    await page.evaluate(() => document.querySelector('[data-scroller]').scrollTo({ top: 1e6 }));
    await page.waitForTimeout(100);
  }
  return page.evaluate(async () => {
    const list = document.querySelector('[data-scroller]');
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const times = [await frame()];
    for (const step of [-120, 120]) {
      const end = step < 0 ? 0 : list.scrollHeight - list.clientHeight - 1;
      while (step < 0 ? list.scrollTop > end : list.scrollTop < end) {
        list.scrollTop += step;
        times.push(await frame());
      }
    }
    const frames = times.slice(1).map((time, index) => time - times[index]);
    return { late: frames.filter((each) => each > 50).length, longest: Math.max(...frames) };
  });
}
