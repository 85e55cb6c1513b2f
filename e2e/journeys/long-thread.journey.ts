import { readFileSync } from 'node:fs';
import type { Message } from '@tanya/contract';
import type { Page } from '@playwright/test';
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
