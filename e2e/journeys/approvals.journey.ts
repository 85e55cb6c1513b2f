import type { Locator, Page } from '@playwright/test';
import type { Step } from '../../backend/test/harness/scripted-answers.js';
import type { ScriptedUpstream } from '../../backend/test/harness/scripted-upstream.js';
import { expectAccessible } from '../accessibility.js';
import { type ChatScreen, type Credentials, openThreadId } from '../chat-screen.js';
import { type EverythingServer, startEverythingServer } from '../../backend/test/harness/servers/everything-server.js';
import { expect, test } from '../journey.js';

const SERVER = 'Reference';
const TOOL = 'Get Sum Tool';
const TOOL_ID = 'reference_get-sum';

test.use({ provider: 'upstream', installation: 'with a tool server' });

/** The reference server, which the administrator has registered. Calls of its tool need approval. */
let server: EverythingServer;
test.beforeAll(async ({ administrator }) => {
  server = await startEverythingServer();
  const data = { name: SERVER, url: server.url };
  expect((await administrator.post('/api/admin/tool-servers', { data })).status()).toBe(201);
});
test.afterAll(() => server.stop());

interface Sum {
  a: number;
  b: number;
}

/** The next answer calls the tool once for each sum. */
function scriptCalls(upstream: ScriptedUpstream, sums: Sum[]): void {
  const calls = sums.map((args, index): Step => ({ call: { index, id: `call_${index}`, name: TOOL_ID, args } }));
  upstream.script({ steps: [{ text: 'Let me calculate. ' }, ...calls, { finish: 'tool_calls' }] });
}

const scriptText = (upstream: ScriptedUpstream, text: string): void =>
  upstream.script({ steps: [{ text }, { finish: 'stop' }] });

const lines = (chat: ChatScreen): Locator => chat.newestAnswer.locator('details[data-tool-state]');
const states = (chat: ChatScreen, ...expected: string[]) =>
  expect
    .poll(() => lines(chat).evaluateAll((all) => all.map((line) => line.getAttribute('data-tool-state'))))
    .toEqual(expected);
const allow = (page: Page): Locator => page.getByRole('button', { name: `Allow ${TOOL}` });
const deny = (page: Page): Locator => page.getByRole('button', { name: `Deny ${TOOL}` });

const marked = (page: Page) => expect(page).toHaveTitle(/^● /);
const unmarked = (page: Page) => expect(page).toHaveTitle(/^[^●]/);

interface Asker {
  chat: ChatScreen;
  member: Credentials;
  page: Page;
  upstream: ScriptedUpstream;
}

/** Signs in, switches the tool on and asks a question whose answer calls it once for each sum. */
async function ask({ chat, member, page, upstream }: Asker, sums: Sum[], question = 'Sums?'): Promise<void> {
  await chat.signIn(member);
  await chat.open();
  await unmarked(page);
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: TOOL }).click();
  await page.keyboard.press('Escape');
  // An empty page may ask the model for conversation ideas, so the script comes after it.
  scriptCalls(upstream, sums);
  await chat.send(question);
  await expect(allow(page).first()).toBeVisible();
}

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

/** Asks on a phone and runs the steps, then asks again in the same conversation on a desk and runs them again. */
async function askOnBoth(asker: Asker, sums: Sum[], steps: (question: string, pages: Page[]) => Promise<void>) {
  const { chat, page, upstream } = asker;
  await test.step('on a phone', async () => {
    await page.setViewportSize(PHONE);
    await ask(asker, sums, 'Sums on a phone?');
    await steps('Sums on a phone?', [page]);
  });
  await test.step('on a desk', async () => {
    for (const tab of page.context().pages()) await tab.setViewportSize(DESK);
    await expect(chat.stopButton).toBeHidden();
    scriptCalls(upstream, sums);
    await chat.send('Sums on a desk?');
    await expect(allow(page).first()).toBeVisible();
    await steps('Sums on a desk?', page.context().pages());
  });
}

test.describe('on a phone and on a desk', () => {
  test('a member sees the exact arguments of a call, and allows it after a reload', async ({
    chat,
    member,
    page,
    upstream,
  }) => {
    await askOnBoth({ chat, member, page, upstream }, [{ a: 2, b: 40 }], async (question) => {
      const waiting = async () => {
        await expect(chat.ownMessages.last()).toContainText(question);
        await states(chat, 'waiting');
        await expect(lines(chat).getByLabel('Arguments')).toHaveText('{\n  "a": 2,\n  "b": 40\n}');
        await expect(deny(page)).toBeVisible();
        await marked(page);
      };
      await waiting();
      await page.reload();
      await waiting();

      scriptText(upstream, 'It is 42.');
      const earlier = upstream.callsOf('chat').length;
      await allow(page).click();
      await expect(chat.newestAnswer).toContainText('It is 42.');
      await chat.answerEnds();
      await states(chat, 'done');
      await unmarked(page);
      await lines(chat).locator('summary').click();
      await expect(chat.newestAnswer.getByLabel('Result', { exact: true })).toHaveText('The sum of 2 and 40 is 42.');
      const results = upstream.callsOf('chat').map(({ body }) => JSON.stringify(body));
      expect(results.slice(earlier).some((body) => body.includes('The sum of 2 and 40 is 42.'))).toBe(true);
    });
  });

  test('a member denies a call, and the answer goes on without it', async ({ chat, member, page, upstream }) => {
    await askOnBoth({ chat, member, page, upstream }, [{ a: 1, b: 1 }], async () => {
      scriptText(upstream, 'Then I cannot say.');
      await deny(page).press('Enter');
      await expect(chat.newestAnswer).toContainText('Then I cannot say.');
      await chat.answerEnds();
      await states(chat, 'denied');
      await lines(chat).locator('summary').click();
      await expect(chat.newestAnswer.getByLabel('Error')).toHaveText('The user denied this call.');
      await unmarked(page);
    });
  });

  test('a member denies a call by sending the next message', async ({ chat, member, page, upstream }) => {
    await askOnBoth({ chat, member, page, upstream }, [{ a: 3, b: 4 }], async (question) => {
      await expect(page.getByRole('button', { name: 'Deny and send' })).toBeHidden();
      await chat.composer.fill(`Never mind: ${question} [[words=4]]`);
      await page.getByRole('button', { name: 'Deny and send' }).click();
      await expect(chat.ownMessages.last()).toContainText(`Never mind: ${question}`);
      await expect(chat.newestAnswer).toContainText(`Never mind: ${question}`);
      await expect(chat.newestAnswer).toContainText('word4');
      const denied = chat.answers.filter({ hasText: 'Let me calculate.' }).last();
      await expect(denied.locator('details[data-tool-state]')).toHaveAttribute('data-tool-state', 'denied');
      await expect(chat.composer).toHaveValue('');
      await unmarked(page);
    });
  });

  test('a tab shows each decision of another tab', async ({ chat, context, member, page, upstream }) => {
    const sums = [
      { a: 5, b: 6 },
      { a: 7, b: 8 },
      { a: 9, b: 10 },
    ];
    await askOnBoth({ chat, member, page, upstream }, sums, async (_, tabs) => {
      await states(chat, 'waiting', 'waiting', 'waiting');
      const second = tabs[1] ?? (await context.newPage());
      if (tabs.length === 1) {
        await second.setViewportSize(PHONE);
        await second.goto(page.url());
      }
      await expect(allow(second)).toHaveCount(3);

      await deny(second).first().click();
      await states(chat, 'denied', 'waiting', 'waiting');
      await expect(allow(page)).toHaveCount(2);
      await allow(second).first().click();
      await expect(lines(chat).nth(1)).toContainText('Allowed');
      await page.reload();
      await states(chat, 'denied', 'waiting', 'waiting');
      await expect(allow(page)).toHaveCount(1);
      await expect(lines(chat).nth(1)).toContainText('Allowed');

      scriptText(upstream, 'Two of three.');
      await allow(second).click();
      await expect(chat.newestAnswer).toContainText('Two of three.');
      await states(chat, 'denied', 'done', 'done');
      await Promise.all([page, second].map(unmarked));
    });
  });
});

test('a chat that waits marks its row and the tab while another chat is open', async ({
  chat,
  member,
  page,
  upstream,
}) => {
  await ask({ chat, member, page, upstream }, [{ a: 2, b: 3 }], 'Please wait for me');
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await expect(chat.answers).toHaveCount(0);
  await marked(page);
  const row = page.getByRole('link', { name: /^Please wait for me/ });
  const mark = row.getByRole('img', { name: 'Waiting for your approval' });
  await expect(mark).toBeVisible();
  await page.reload();
  await marked(page);

  await row.click();
  await deny(page).click();
  await chat.answerEnds();
  await expect(mark).toBeHidden();
  await unmarked(page);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('a chat that waits marks the menu button, and is listed while it is archived', async ({
    chat,
    member,
    page,
    upstream,
  }) => {
    await ask({ chat, member, page, upstream }, [{ a: 2, b: 3 }], 'Please wait in the archive');
    const threadId = await openThreadId(page);
    const mark = page.getByRole('banner').getByRole('img', { name: 'Waiting for your approval' });
    await expect(mark).toBeVisible();
    expect((await page.request.patch(`/api/chat/threads/${threadId}`, { data: { isArchived: true } })).ok()).toBe(true);
    await page.goto('/');
    await expect(mark).toBeVisible();
    await expectAccessible(page, 'a marked menu button');
    await page.getByRole('button', { name: 'Open menu' }).click();
    const group = page.getByRole('list', { name: 'Waiting for your approval' });
    await expect(group).toBeVisible();
    await expectAccessible(page, 'the list of waiting chats');
    await group.getByRole('link', { name: /^Please wait in the archive/ }).click();
    await deny(page).click();
    await chat.answerEnds();
    await expect(mark).toBeHidden();
  });
});
