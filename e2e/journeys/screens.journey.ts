import { TEXTS, type Thread } from '@tanya/contract';
import { extractText } from 'unpdf';
import { openThreadId } from '../chat-screen.js';
import { expect, test, type Page } from '../journey.js';

test.use({ provider: 'upstream' });

const words = (index: number) => `Question number ${index}.`;

/** Vertical distance between the question and its answer, and the left edge of the answer, in px. */
async function spacing(page: Page): Promise<{ gap: number; left: number }> {
  return page.evaluate(() => {
    const text = (from: string) => document.querySelector(`[data-from=${from}] [dir=auto]`)?.getBoundingClientRect();
    const [question, answer] = [text('user'), text('ai')];
    return { gap: (answer?.top ?? Infinity) - (question?.bottom ?? 0), left: answer?.left ?? Infinity };
  });
}

test('a stopped answer continues as a new turn, at 390 px and at 1440 px', async ({ chat, member, page, upstream }) => {
  await chat.signIn(member);
  await chat.open();
  for (const width of [1440, 390]) {
    if (width === 390) await page.getByRole('button', { name: TEXTS.sidebar.newChat, exact: true }).click();
    await page.setViewportSize({ width, height: 844 });
    await expect(chat.answers).toHaveCount(0);
    await chat.send(`A long one at ${width} px [[words=400 pace=20]]`);
    await expect(chat.newestAnswer).toContainText('word1 ');
    await chat.stopButton.click();
    await chat.newestAnswer.getByRole('button', { name: 'Continue' }).click();
    await expect(chat.ownMessages.last()).toContainText('Continue');
    await chat.answerEnds();
    await expect(chat.answers.first().getByRole('button', { name: 'Continue' })).toBeHidden();
    // The model reads the text of the stopped answer.
    const read = () => JSON.stringify(upstream.calls.at(-1)?.body);
    await expect.poll(read).toContain('word1');
    expect(read()).toContain(`at ${width} px`);
  }
});

test('the title of a thread is in its header and in the title of the tab, at 390 px and at 1440 px', async ({
  chat,
  member,
  page,
}) => {
  await chat.signIn(member);
  await chat.open();
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(page).toHaveTitle(TEXTS.defaults.siteTitle);
    await chat.send('Plan a picnic [[words=5]]');
    await chat.answerEnds();
    const id = await openThreadId(page);
    const heading = page.getByRole('main').getByRole('heading', { level: 1 });
    await expect.poll(async () => (await chat.threads()).find((thread) => thread.id === id)?.title).toBeTruthy();
    const title = `The picnic at ${width} px`;
    await page.request.patch(`/api/chat/threads/${id}`, { data: { title } });
    await expect(heading).toHaveText(title);
    await expect(page).toHaveTitle(`${title} · ${TEXTS.defaults.siteTitle}`);
    await page.getByRole('button', { name: TEXTS.sidebar.newChat, exact: true }).click();
    await expect(page).toHaveTitle(TEXTS.defaults.siteTitle);
  }
});

test('a thread prints in full, without the app around it', async ({ chat, page, member }) => {
  await chat.signIn(member);
  const { threadId } = await chat.post('The last question [[words=5]]');
  await longer(page, 80);
  await chat.open(`/chat/${threadId}`);
  await expect(page.locator('[data-newest]')).toBeVisible();

  const { text, totalPages } = await extractText(new Uint8Array(await page.pdf()), { mergePages: true });
  expect(totalPages).toBeGreaterThan(2);
  for (const index of [0, 40, 78]) expect(text).toContain(words(index));
  expect(text).toContain('The last question');
  for (const label of [TEXTS.sidebar.recentChats, TEXTS.sidebar.home, 'Write a message']) {
    expect(text).not.toContain(label);
  }
  // The screen is as before.
  await expect(page.locator('.printed-conversation')).toHaveCount(0);
  await expect(chat.composer).toBeVisible();
});

test('Ctrl+P loads the messages that are not on the screen before it prints', async ({ chat, page, member }) => {
  await chat.signIn(member);
  const { threadId } = await chat.post('The last question [[words=5]]');
  await longer(page, 40, { 'X-Next-Cursor': 'older' });
  await chat.open(`/chat/${threadId}`);
  await expect(page.locator('[data-newest]')).toBeVisible();
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  const older = page.waitForRequest(/\/messages\?.*before=older.*limit=/);
  await page.keyboard.press('Control+P');
  await older;
  await expect(page.locator('body[data-printed]')).toBeAttached();
});

test('Ctrl+P waits for the diagrams, which are light on paper', async ({ chat, page, member, upstream }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await chat.signIn(member);
  await chat.open();
  await expect(page.getByRole('button', { name: /^Use: / }).first()).toBeVisible();
  upstream.script({ steps: [{ text: '```mermaid\ngraph TD\n  A --> B\n```' }, { finish: 'stop' }, { done: true }] });
  await chat.send('Draw it');
  const picture = await chat.newestAnswer.getByRole('img', { name: 'Diagram' }).getAttribute('src');
  await page.evaluate(() => {
    window.print = () => {
      const printed = document.querySelector<HTMLImageElement>('.printed-conversation img[alt=Diagram]');
      document.body.setAttribute('data-printed', printed?.src ?? 'no picture');
    };
  });
  await page.keyboard.press('Control+P');
  await expect(page.locator('body[data-printed]')).toBeAttached();
  const printed = await page.locator('body').getAttribute('data-printed');
  expect(printed).toMatch(/^data:image/);
  expect(printed).not.toBe(picture);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(page.locator('html')).toHaveClass(/light/);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(page.locator('html')).toHaveClass(/dark/);
  await expect(page.locator('.printed-conversation')).toHaveCount(0);
});

/** Adds fake messages before the stored ones of a thread. With a cursor, older ones seem to exist and are never read. */
async function longer(page: Page, count: number, headers: Record<string, string> = {}): Promise<void> {
  await page.route(/\/messages\?.*before=/, (route) => route.fulfill({ json: [], headers }));
  await page.route(/\/api\/chat\/threads\/\d+\/messages$/, async (route) => {
    const stored = (await (await route.fetch()).json()) as { id: number }[];
    const [question, answer] = stored;
    const older = Array.from({ length: count }, (_, index) => {
      const isUserMessage = index % 2 === 0;
      const content = isUserMessage ? words(index) : `**Answer**\n\n${'- one `of` *many*\n'.repeat(5)}`;
      return { ...(isUserMessage ? question : answer), id: -index - 1, siblingIds: [-index - 1], content };
    });
    await route.fulfill({ json: [...older, ...stored], headers });
  });
}

test('a diagram shows its source on request', async ({ chat, page, upstream }) => {
  const steps = [
    { text: '```mermaid\ngraph TD\n  A[Start here] --> B\n```' },
    { finish: 'stop' },
    { done: true },
  ] as const;
  await chat.open();
  // The ideas call the model too.
  await expect(page.getByRole('button', { name: /^Use: / }).first()).toBeVisible();
  upstream.script({ steps: [...steps] });
  await chat.send('Draw it');
  const diagram = chat.newestAnswer.getByRole('img', { name: 'Diagram' });
  await expect(diagram).toBeVisible();
  const picture = decodeURIComponent((await diagram.getAttribute('src')) ?? '');
  expect(picture).toContain("@font-face{font-family:'Inter");
  // Nothing is cut off: the view begins at the first part of the diagram.
  expect(picture).toMatch(/viewBox="0 0 /);
  await chat.newestAnswer.getByRole('button', { name: 'Show the source' }).click();
  await expect(chat.newestAnswer.getByText('graph TD')).toBeVisible();
  await chat.newestAnswer.getByRole('button', { name: 'Show the diagram' }).click();
  await expect(diagram).toBeVisible();
});

test('a new chat has the model that was picked last', async ({ administrator, chat, member, page }) => {
  const model = { modelId: 'scripted/large', name: 'Scripted Large', provider: 'Scripted' };
  expect((await administrator.post('/api/admin/models', { data: model })).status()).toBeLessThan(500);
  await chat.signIn(member);
  await chat.open();
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByRole('option', { name: /Scripted Large/ }).click();
  await chat.send('Hello [[words=5]]');
  await chat.answerEnds();
  await page.getByRole('button', { name: TEXTS.sidebar.newChat, exact: true }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Model: Scripted Large' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Model: Scripted Large' })).toBeVisible();
});

test('an idea fills the composer by a click on its card, and the ideas end with the first message', async ({
  chat,
  page,
}) => {
  await chat.open();
  const card = page.getByRole('button', { name: /^Use: / }).first();
  await card.click();
  await expect(chat.composer).toHaveValue(/\w/);
  await chat.send('Hello [[words=5]]');
  await expect(page.getByText(TEXTS.chat.conversationIdeas)).toBeHidden();
});

const WINDOWS = [
  { width: 1440, height: 1100 },
  { width: 1440, height: 500 },
];

test('recent chats have the free height, and at least 30vh, in a high window and in a low one', async ({
  chat,
  member,
  page,
}) => {
  await chat.signIn(member);
  await chat.open();
  await expect(page.getByText(TEXTS.sidebar.noHistory)).toBeVisible();
  for (const size of WINDOWS) {
    await page.setViewportSize(size);
    await expect
      .poll(() =>
        page.evaluate(() => {
          const scroller = document.querySelector('nav [data-scroller]')!;
          const [list, room] = [scroller.querySelector('section')!, scroller].map((box) => box.getBoundingClientRect());
          const isHighEnough = Math.min(list!.height, room!.height) / innerHeight >= 0.299;
          return { innerHeight, isHighEnough, hasFreeSpace: room!.bottom - list!.bottom > 1 };
        }),
      )
      .toEqual({ innerHeight: size.height, isHighEnough: true, hasFreeSpace: false });
  }
});

for (const { name, rows, use } of [
  { name: 'a wide screen', rows: 14, use: { viewport: { width: 1440, height: 900 } } },
  { name: 'a phone', rows: 8, use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
]) {
  test.describe(`on ${name}`, () => {
    test.use(use);

    test(`the sidebar shows ${rows} of many chats, scrolls as one, and keeps its place when a chat is added`, async ({
      chat,
      member,
      page,
    }) => {
      await chat.signIn(member);
      await page.route(/\/api\/chat\/threads(\?|$)/, async (route) => {
        if (route.request().url().includes('state=waiting')) return route.fulfill({ json: [] });
        const stored = (await (await route.fetch()).json()) as Thread[];
        await route.fulfill({ json: [...stored, ...manyChats()] });
      });
      await chat.open();
      const menu = page.getByRole('button', { name: 'Open menu' });
      if (await menu.isVisible()) await menu.click();
      const list = page.getByRole('region', { name: TEXTS.sidebar.recentChats });
      await expect(list.getByRole('link').first()).toBeVisible();
      await expect(page.getByText(TEXTS.sidebar.otherApps)).toBeVisible();
      await expect.poll(async () => (await seenRows(page)).length).toBeGreaterThanOrEqual(rows);
      const scrollers = await page.evaluate(
        () =>
          [...document.querySelectorAll('nav *, [role=dialog] *')].filter(
            (box) => /auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight + 1,
          ).length,
      );
      expect(scrollers).toBe(1);
      // At no place of the list is the heading of a day the last that is seen.
      for (let top = 0; top < 200; top += 9) {
        await page.evaluate((to) => document.querySelector('[data-scroller]')!.scrollTo(0, to), top);
        expect(await loneHeadings(page), `at ${top} px`).toEqual([]);
      }
      await page.evaluate(() => document.querySelector('[data-scroller]')!.scrollTo(0, 0));
      await chat.post('A chat more [[words=3]]');
      await expect(list.getByRole('link', { name: 'A chat more' })).toBeVisible();
      expect(await page.evaluate(() => document.querySelector('[data-scroller]')!.scrollTop)).toBe(0);
    });
  });
}

test.describe('on a phone on its side', () => {
  test.use({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });

  test('the menu shows a chat before anything is scrolled, and the account', async ({ chat, member, page }) => {
    await chat.signIn(member);
    await chat.open();
    await chat.send('How does a rainbow form? [[words=5]]');
    await chat.answerEnds();
    await page.getByRole('button', { name: 'Open menu' }).click();
    const chats = page.getByRole('region', { name: TEXTS.sidebar.recentChats });
    const row = chats.getByRole('link', { name: /rainbow/ });
    const account = page.getByRole('dialog').getByRole('contentinfo');
    await expect(account).toBeInViewport({ ratio: 1 });
    await expect(row).toBeInViewport({ ratio: 1 });
    const [shown, foot] = [await row.boundingBox(), await account.boundingBox()];
    expect(shown!.y + shown!.height).toBeLessThanOrEqual(foot!.y);
    // The last section comes into view too.
    await page.getByText(TEXTS.sidebar.otherApps).tap();
    await expect(page.getByRole('button', { name: TEXTS.chat.upgrade })).toBeVisible();
  });
});

/** Fifty chats of several days, the first of them pinned. */
function manyChats(): Thread[] {
  const day = 24 * 3_600_000;
  return Array.from({ length: 50 }, (_, index) => {
    const updatedAt = new Date(Date.now() - (index * index * day) / 40).toISOString();
    const title = `A conversation about harbour number ${index}`;
    const flags = { streaming: false, waiting: false, isPinned: index < 2, isArchived: false };
    return {
      id: 900_000 - index,
      title,
      userId: 1,
      modelId: null,
      createdAt: updatedAt,
      updatedAt,
      tools: [],
      useInstructions: null,
      projectId: null,
      ...flags,
    };
  });
}

/** The rows that are wholly within the scroller. */
function seenRows(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scroller = document.querySelector('[data-scroller]')!.getBoundingClientRect();
    return [...document.querySelectorAll('[data-scroller] li')]
      .filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= scroller.top && bottom <= scroller.bottom;
      })
      .map(({ textContent }) => textContent);
  });
}

/** The headings of days that are seen while no part of their first row is. */
function loneHeadings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const end = document.querySelector('[data-scroller]')!.getBoundingClientRect().bottom;
    return [...document.querySelectorAll('.day-heading')]
      .filter((heading) => {
        const { top, bottom } = heading.getBoundingClientRect();
        return top < end && bottom > end - 4 && getComputedStyle(heading).opacity !== '0';
      })
      .map(({ textContent }) => textContent);
  });
}

test('an answer follows its question closely, in a high window and in a low one', async ({ chat, page }) => {
  await chat.open();
  for (const [index, size] of WINDOWS.entries()) {
    if (index > 0) await page.getByRole('button', { name: TEXTS.sidebar.newChat, exact: true }).first().click();
    await expect(chat.answers).toHaveCount(0);
    await page.setViewportSize(size);
    await chat.send('How does a rainbow form? [[words=5]]');
    await chat.answerEnds();
    await expect.poll(async () => (await spacing(page)).gap).toBeLessThanOrEqual(56);
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('an answer has the width of the screen', async ({ chat, page }) => {
    await chat.open();
    await chat.send('How does a rainbow form? [[words=5]]');
    await chat.answerEnds();
    await expect.poll(async () => (await spacing(page)).left).toBeLessThanOrEqual(20);
  });
});

test.describe('at 400 % zoom', () => {
  test.use({ viewport: { width: 320, height: 256 } });

  test('a conversation has room for messages', async ({ chat, page }) => {
    await chat.open();
    await chat.send('How does a rainbow form? [[words=30]]');
    await chat.answerEnds();
    const room = await page.getByRole('region', { name: 'Conversation' }).boundingBox();
    expect(room?.height).toBeGreaterThanOrEqual(120);
    await chat.composer.fill('one line');
    const field = await page.locator('.composer').boundingBox();
    expect(field?.height).toBeLessThanOrEqual(56);
  });
});
