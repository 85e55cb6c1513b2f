import { readFileSync } from 'node:fs';
import type { Message, Thread } from '@tanya/contract';
import type { Page } from '@playwright/test';
import type { ChatScreen, Credentials } from '../chat-screen.js';
import { expect, test } from '../journey.js';

const budget = JSON.parse(readFileSync(new URL('../../budget.json', import.meta.url), 'utf8')) as {
  elementsOfALongThread: number;
};

test.use({ provider: 'upstream' });

/** Adds fake messages to the response of a thread, because storing them takes too long. */
async function fakeLength(page: Page, count: number, headers: Record<string, string> = {}): Promise<void> {
  await page.route(/\/messages\?before=/, (route) => route.fulfill({ json: [] }));
  await page.route(/\/api\/chat\/threads\/\d+\/messages$/, async (route) => {
    const stored = (await (await route.fetch()).json()) as Message[];
    const [question, answer] = stored as [Message, Message];
    const older = Array.from({ length: count - 2 }, (_, index) => {
      const isUserMessage = index % 2 === 0;
      const content = isUserMessage
        ? `Question ${index}?`
        : `**Answer ${index}**\n\n${'- one `of` *many*\n'.repeat(20)}`;
      return { ...(isUserMessage ? question : answer), id: -index - 1, siblingIds: [-index - 1], content };
    });
    await route.fulfill({ json: [...older, ...stored], headers });
  });
}

for (const { what, count, headers } of [
  { what: 'with all of its messages', count: 1_000, headers: {} },
  { what: 'as it is opened', count: 50, headers: { 'X-Next-Cursor': 'there-is-more' } },
]) {
  test(`a thread of 1,000 messages renders few elements, ${what}`, async ({ chat, member, page }) => {
    await chat.signIn(member);
    const { threadId } = await chat.post('The last question');
    await fakeLength(page, count, headers);
    await chat.open(`/chat/${threadId}`);
    await expect(page.locator('[data-newest]')).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('*').count()).toBeLessThanOrEqual(budget.elementsOfALongThread);
  });
}

test('a long thread is seen at its end alone while it is opened', async ({ chat, member, page }) => {
  await chat.signIn(member);
  const { threadId } = await chat.post('The last question');
  await fakeLength(page, 200);
  await page.addInitScript(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    const look = () => {
      requestAnimationFrame(look);
      const list = document.querySelector('[role=region][aria-label=Conversation]');
      if (!list?.firstElementChild) return;
      // Called after the observers of the page, which scroll, and before the frame is painted.
      new ResizeObserver((_, observer) => {
        observer.disconnect();
        const isShown = getComputedStyle(list.firstElementChild!).opacity !== '0';
        if (isShown) seen.push(Math.round(list.scrollHeight - list.scrollTop - list.clientHeight));
      }).observe(list);
    };
    requestAnimationFrame(look);
  });
  await chat.open(`/chat/${threadId}`);
  await expect(page.locator('[data-newest]')).toBeVisible();
  await page.waitForLoadState('networkidle');
  const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen);
  expect(seen.length).toBeGreaterThan(0);
  expect(Math.max(...seen)).toBeLessThanOrEqual(24);
});

const PICTURE = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="420"><rect width="640" height="420" fill="teal"/></svg>',
);

/** An answer with everything that gets its height late. */
const richAnswer = (index: number): string =>
  [
    `## Answer ${index}`,
    `The area is $\\frac{${index}}{2}$ of it.\n\n\\[\n\\int_0^${index} x^2 \\, dx = \\frac{${index}^3}{3}\n\\]`,
    index % 3 === 0 ? `![A chart](/api/files/late-${index})` : '',
    `| a | b |\n|---|---|\n${`| ${index} | $x_${index}$ |\n`.repeat(index % 7)}`,
    `\`\`\`ts\n${'const a = 1;\n'.repeat(3 + (index % 9))}\`\`\``,
    `<details><summary>More</summary>\n\n${'Hidden. '.repeat(40)}\n\n</details>`,
    index % 5 === 0 ? '```mermaid\ngraph TD; A-->B; B-->C;\n```' : '',
    'A sentence that goes on for a while. '.repeat(1 + (index % 6)),
  ]
    .filter(Boolean)
    .join('\n\n');

/** Serves a thread of so many messages in pages, the older ones and the pictures late. */
async function fakeRichThread(page: Page, count: number): Promise<void> {
  const late = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
  let stored: Message[] = [];
  const messages = (from: number, to: number): Message[] =>
    Array.from({ length: to - from }, (_, offset) => {
      const index = from + offset;
      const [question, answer] = stored as [Message, Message];
      const content = index % 2 === 0 ? `Question ${index}?` : richAnswer(index);
      return {
        ...(index % 2 === 0 ? question : answer),
        id: -count + index,
        siblingIds: [-count + index],
        content,
        parts: undefined,
      };
    });
  const headers = (from: number): Record<string, string> => (from > 0 ? { 'X-Next-Cursor': `${from}` } : {});
  await page.route(/\/api\/files\/late-/, async (route) => {
    await late(300);
    await route.fulfill({ body: PICTURE, contentType: 'image/svg+xml' });
  });
  await page.route(/\/messages\?before=/, async (route) => {
    const to = Number(new URL(route.request().url()).searchParams.get('before'));
    const from = Math.max(0, to - 50);
    await late(200);
    await route.fulfill({ json: messages(from, to), headers: headers(from) });
  });
  await page.route(/\/api\/chat\/threads\/\d+\/messages$/, async (route) => {
    stored = (await (await route.fetch()).json()) as Message[];
    await route.fulfill({ json: [...messages(count - 50, count), ...stored], headers: headers(count - 50) });
  });
}

interface Reader {
  chat: ChatScreen;
  member: Credentials;
  page: Page;
}

/** Opens a thread of `fakeRichThread` at its end, with all that this loads. */
async function openRichThread({ chat, member, page }: Reader, count: number): Promise<void> {
  await chat.signIn(member);
  const { threadId } = await chat.post('The last question');
  await fakeRichThread(page, count);
  await chat.open(`/chat/${threadId}`);
  await expect(page.locator('[data-newest]')).toBeVisible();
  await page.waitForLoadState('networkidle');
}

interface Scrolling {
  list: string;
  pixels: number;
  steps: number;
}

const CONVERSATION = '[role=region][aria-label=Conversation]';

/**
 * Scrolls by so many pixels, so many times. Runs in the page.
 * @returns the movements, at any frame after a step, of what was in the middle of the screen before it
 */
async function scrollBy({ list: selector, pixels, steps }: Scrolling): Promise<string[]> {
  const list = document.querySelector(selector)!;
  const frame = () =>
    // After the observers of the page, which place rows, and before the frame is painted.
    new Promise<void>((resolve) =>
      requestAnimationFrame(() => {
        const observer = new ResizeObserver(() => {
          observer.disconnect();
          resolve();
        });
        observer.observe(list);
      }),
    );
  const moves: string[] = [];
  const box = list.getBoundingClientRect();
  const placeOf = (element: Element) => element.getBoundingClientRect().top;
  const elementAt = (share: number) =>
    document.elementFromPoint(box.left + box.width / 2, box.top + box.height * share)?.closest('p, li, tr, h2, pre');
  for (let step = 0; step < steps; step += 1) {
    // What was read before the step, and what is read after it.
    const before = elementAt(pixels < 0 ? 0.2 : 0.8);
    const top = before ? placeOf(before) : 0;
    const from = list.scrollTop;
    list.scrollTop += pixels;
    const seen = before ? [{ element: before, wanted: top - (list.scrollTop - from) }] : [];
    for (let index = 0; index < 12; index += 1) {
      await frame();
      const first = index === 3 ? elementAt(0.02) : null;
      if (first) seen.push({ element: first, wanted: placeOf(first) });
      for (const { element, wanted } of seen) {
        const isRead = element.isConnected && wanted < box.bottom && element.getBoundingClientRect().bottom > box.top;
        const moved = Math.round(placeOf(element) - wanted);
        if (isRead && Math.abs(moved) > 2)
          moves.push(`step ${step}, frame ${index}: ${moved} px of ${element.tagName}`);
      }
    }
    // The next page is loaded at the end of the list.
    const rest = list.scrollHeight - list.clientHeight - list.scrollTop;
    if (Math.min(list.scrollTop, rest) < 400) await new Promise((resolve) => setTimeout(resolve, 400));
  }
  return moves;
}

test.describe('scrolling a thread of 1,000 messages', () => {
  // Each step waits for the frames in which heights settle.
  test.slow();

  for (const width of [390, 1440]) {
    test(`moves nothing that is read, at ${width} px`, async ({ chat, member, page }) => {
      await page.setViewportSize({ width, height: 800 });
      await openRichThread({ chat, member, page }, 1_000);
      expect(await page.evaluate(scrollBy, { list: CONVERSATION, pixels: -350, steps: 80 })).toEqual([]);
      expect(await page.evaluate(scrollBy, { list: CONVERSATION, pixels: 250, steps: 20 })).toEqual([]);
      expect(await page.evaluate(scrollBy, { list: CONVERSATION, pixels: -1_500, steps: 15 })).toEqual([]);
    });
  }
});

interface Growth {
  list: string;
  /** The row above the upper edge, a block of the row at the edge, or the block at the edge, which is made anew. */
  what: 'row' | 'block' | 'new block';
}

/**
 * Lets a text above the upper edge grow between a scroll and its event. Runs in the page.
 * @returns the movement of what is read, in pixels
 */
async function growWhileScrolling({ list: selector, what }: Growth): Promise<number> {
  const list = document.querySelector(selector)!;
  const frames = async (count: number) => {
    for (let index = 0; index < count; index += 1) await new Promise(requestAnimationFrame);
    // Between two frames, as a task of the page.
    await new Promise((resolve) => setTimeout(resolve));
  };
  const placeOf = (element: Element) => element.getBoundingClientRect().top;
  const edge = placeOf(list);
  let answers: Element[] = [];
  let index = -1;
  // The rows above the edge are rendered in the frames after a scroll.
  while (index < 0) {
    await frames(1);
    answers = [...list.querySelectorAll('[data-message]')]
      .filter((row) => row.querySelector('h2') !== null)
      .sort((one, other) => placeOf(one) - placeOf(other));
    index = answers.findLastIndex((row) => placeOf(row) < edge + 100);
  }
  const block = answers[index]!.querySelector<HTMLElement>('.code-block')!;
  const read =
    what === 'row' ? answers[index + 1]!.querySelector('h2')! : [...answers[index]!.querySelectorAll('p')].at(-1)!;
  const first = what === 'new block' ? block : read;
  list.scrollTop += placeOf(first) - edge - (what === 'new block' ? -20 : 20);
  await frames(12);
  list.scrollTop -= 10;
  const wanted = placeOf(read);
  const grown = what === 'new block' ? (block.cloneNode(true) as HTMLElement) : block;
  grown.style.height = `${block.offsetHeight + 243}px`;
  if (grown !== block) block.replaceWith(grown);
  await frames(12);
  return Math.round(placeOf(read) - wanted);
}

test('a text above the screen that grows during a scroll moves nothing that is read', async ({
  chat,
  member,
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await openRichThread({ chat, member, page }, 200);
  for (const what of ['row', 'block', 'new block'] as const) {
    await page.evaluate(scrollBy, { list: CONVERSATION, pixels: -350, steps: 8 });
    expect.soft(await page.evaluate(growWhileScrolling, { list: CONVERSATION, what }), what).toBe(0);
  }
});

test('scrolling 5,000 chats moves nothing that is read, and a selection keeps the place', async ({
  chat,
  member,
  page,
}) => {
  test.slow();
  await chat.signIn(member);
  await chat.post('The only chat');
  // Ten pages, larger than those of the product.
  await page.route(/\/api\/chat\/threads(?:\?before=.*)?$/, async (route) => {
    const [thread] = (await (
      await route.fetch({ url: new URL('/api/chat/threads', page.url()).href })
    ).json()) as Thread[];
    const from = Number(new URL(route.request().url()).searchParams.get('before') ?? 0);
    const json = Array.from({ length: 500 }, (_, offset) => {
      const updatedAt = new Date(Date.now() - (from + offset) * 600_000).toISOString();
      return { ...thread, id: 1_000_000 - from - offset, title: `Chat ${from + offset}`, updatedAt };
    });
    await route.fulfill({ json, headers: from < 4_500 ? { 'X-Next-Cursor': `${from + 500}` } : {} });
  });
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Chat 0', exact: true })).toBeVisible();
  expect(await page.evaluate(scrollBy, { list: '[data-scroller]', pixels: 1_100, steps: 130 })).toEqual([]);
  expect(await page.evaluate(scrollBy, { list: '[data-scroller]', pixels: -900, steps: 20 })).toEqual([]);
  const scroller = page.locator('[data-scroller]');
  await expect.poll(() => scroller.locator('*').count()).toBeLessThan(budget.elementsOfALongThread);
  await expect.poll(() => scroller.evaluate(changesAtRest)).toBe(0);

  const place = () => scroller.evaluate((list) => list.scrollTop);
  const name = await scroller.evaluate((list) => {
    const { left, top, height } = list.getBoundingClientRect();
    return document.elementFromPoint(left + 40, top + height / 2)!.closest('li')!.textContent;
  });
  const before = await place();
  await page.getByRole('button', { name: `Options for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Select' }).click();
  await expect(page.getByRole('checkbox', { name: `Select ${name}` })).toBeFocused();
  await expect(page.getByRole('toolbar', { name: 'Selected chats' })).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name, exact: true })).toBeFocused();
  expect(Math.abs((await place()) - before)).toBeLessThan(50);
});

test('a growing answer does not restyle the rows before it', async ({ page, chat }) => {
  await chat.open();
  await chat.send('A long one [[words=600 pace=2]]');
  await chat.answerBegins();
  // This style is inherited, so setting it restyles every element of the conversation.
  const isEverSet = await page.evaluate(async () => {
    const conversation = document.querySelector('[role=region][aria-label=Conversation]');
    let found = false;
    const look = () => (found ||= conversation?.querySelector('[style*="pointer-events"]') !== null);
    const observer = new MutationObserver(look);
    if (conversation) observer.observe(conversation, { attributes: true, attributeFilter: ['style'], subtree: true });
    while (document.querySelector('[data-streaming]')) await new Promise(requestAnimationFrame);
    return found;
  });
  expect(isEverSet).toBe(false);
});

/** Elements that come or go in an element while nobody does anything. */
async function changesAtRest(element: Element): Promise<number> {
  let changes = 0;
  const observer = new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) changes += addedNodes.length + removedNodes.length;
  });
  observer.observe(element, { childList: true, subtree: true });
  await new Promise((resolve) => setTimeout(resolve, 300));
  observer.disconnect();
  return changes;
}

/** The largest number of elements that the browser has styled at once during an action. */
async function styledDuring(page: Page, action: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await action();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: { name: string; args: { elementCount?: number } }[];
  };
  return Math.max(0, ...traceEvents.map(({ name, args }) => (name === 'UpdateLayoutTree' && args.elementCount) || 0));
}

test('the first menu beside a long answer does not style the answer again', async ({ chat, member, page }) => {
  await chat.signIn(member);
  const { threadId } = await chat.post('The last question');
  await page.route(/\/api\/chat\/threads\/\d+\/messages$/, async (route) => {
    const [question, answer] = (await (await route.fetch()).json()) as [Message, Message];
    const content = '- one `of` *many*\n\nA paragraph with **words**.\n\n'.repeat(400);
    await route.fulfill({ json: [question, { ...answer, content, parts: undefined }] });
  });
  await chat.open(`/chat/${threadId}`);
  await expect(page.locator('[data-newest] p').last()).toBeVisible();
  await page.waitForLoadState('networkidle');
  const elements = await page.locator('[data-newest] *').count();
  expect(elements).toBeGreaterThan(1_500);
  const styled = await styledDuring(page, async () => {
    await page.getByRole('button', { name: 'Chat options' }).click();
    await expect(page.getByRole('menuitem', { name: 'Find in this chat' })).toBeVisible();
  });
  expect(styled).toBeGreaterThan(0);
  expect(styled).toBeLessThan(elements / 4);
});
