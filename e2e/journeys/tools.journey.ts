import type { Page } from '@playwright/test';
import type { ScriptedUpstream } from '../../backend/test/harness/scripted-upstream.js';
import { startSearxng, type SearxngServer } from '../../backend/test/tools/searxng-server.js';
import type { ChatScreen } from '../chat-screen.js';
import { expect, test } from '../journey.js';

test.use({ provider: 'upstream', installation: 'with a search server' });

/** A search server that the administrator has set. */
let searxng: SearxngServer;
test.beforeAll(async ({ administrator }) => {
  searxng = await startSearxng();
  const changes = { searxngUrl: searxng.url };
  expect((await administrator.patch('/api/admin/general-settings', { data: changes })).ok()).toBe(true);
});
test.afterAll(() => searxng.close());

const QUERY = 'ferry timetable';

/** The next answer calls the web search, and then writes the text. */
function scriptSearch(upstream: ScriptedUpstream, text: string): void {
  upstream.script(
    { steps: [{ call: { id: 'call_1', name: 'web_search', args: { query: QUERY } } }, { finish: 'tool_calls' }] },
    { steps: [{ text }, { finish: 'stop' }] },
  );
}

async function switchOnSearch(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: /Web search/ }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '1 tool is on' })).toBeVisible();
}

const callLine = (chat: ChatScreen) => chat.newestAnswer.locator('details[data-tool-state]');

test('a member lets the model search the web, and sees its call and its sources, on a phone and on a desk', async ({
  chat,
  member,
  page,
  upstream,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await chat.signIn(member);
  await chat.open();
  await switchOnSearch(page);
  for (const [calls, width] of [
    [1, 390],
    [2, 1440],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    scriptSearch(upstream, `It leaves at nine, at ${width} px [1].`);
    const earlier = searxng.queries.length;
    await chat.send(`When does the ferry leave, at ${width} px?`);

    const shown = async () => {
      await expect(chat.newestAnswer).toContainText(`It leaves at nine, at ${width} px`);
      await expect(callLine(chat)).toHaveAttribute('data-tool-state', 'done');
      const sources = chat.newestAnswer.getByRole('region', { name: 'Sources' });
      const first = sources.getByRole('link').first();
      await expect(first).toContainText('result-1.example');
      await expect(first).toHaveAttribute('rel', /noopener/);
    };
    await shown();
    expect(searxng.queries.slice(earlier)).toEqual([QUERY]);
    await callLine(chat).locator('summary').press('Enter');
    await expect(chat.newestAnswer.getByLabel('Arguments')).toContainText(QUERY);
    await expect(chat.newestAnswer.getByLabel('Result', { exact: true })).toContainText('Result 1 for');

    await page.reload();
    await shown();
    await expect(page.getByRole('button', { name: '1 tool is on' })).toBeVisible();

    await chat.send(`And back, at ${width} px? [[words=4]]`);
    await expect(chat.newestAnswer).toContainText(`And back, at ${width} px?`);
    await expect(chat.newestAnswer).toContainText('word4');
    const messages = upstream.callsOf('chat').at(-1)?.body['messages'] as Record<string, unknown>[];
    expect(messages.findLast(({ role }) => role === 'tool')).toMatchObject({
      content: expect.stringContaining('Result 1 for'),
    });
    expect(messages.filter((message) => 'tool_calls' in message)).toHaveLength(calls);
  }
});

test('a search that fails is shown as failed, and the answer goes on', async ({ chat, member, page, upstream }) => {
  await chat.signIn(member);
  await chat.open();
  await switchOnSearch(page);
  searxng.next((_, response) => void response.writeHead(500).end());
  scriptSearch(upstream, 'I could not search.');
  await chat.send('What is new?');
  await expect(chat.newestAnswer).toContainText('I could not search.');
  await expect(callLine(chat)).toHaveAttribute('data-tool-state', 'failed');
  await callLine(chat).locator('summary').click();
  await expect(chat.newestAnswer.getByLabel('Error')).toContainText('The web search');
  await expect(chat.newestAnswer.getByRole('region', { name: 'Sources' })).toBeHidden();
});

test('Stop ends a search that hangs, and the next message is answered', async ({ chat, member, page, upstream }) => {
  await chat.signIn(member);
  await chat.open();
  await switchOnSearch(page);
  searxng.next(() => undefined);
  scriptSearch(upstream, 'never written');
  await chat.send('What is new today?');
  await expect(callLine(chat)).toHaveAttribute('data-tool-state', 'running');
  await chat.stopButton.click();
  await chat.answerEnds();
  await expect(callLine(chat)).toHaveAttribute('data-tool-state', 'interrupted');
  // The script of the second step was not used.
  await chat.send('Once more');
  await expect(chat.newestAnswer).toContainText('never written');
});
