import { openThreadId, type ChatScreen } from '../chat-screen.js';
import { expect, test, type Page } from '../journey.js';

/** Checks that the shown newest answer equals the stored one. */
async function expectScreenEqualsStore(chat: ChatScreen, page: Page): Promise<void> {
  const stored = (await chat.storedMessages(await openThreadId(page))).at(-1);
  await expect.poll(() => chat.newestAnswer.locator('p').first().innerText()).toBe(stored?.content);
}

test.use({ provider: 'upstream' });

test('a page that is reloaded during an answer ends with the stored text', async ({ chat, member, page }) => {
  await chat.signIn(member);
  await chat.open();
  for (const wait of [50, 400, 900]) {
    await chat.send(`Count for me, pausing ${wait} [[words=150 pace=10]]`);
    await chat.answerBegins();
    await page.waitForTimeout(wait);
    await page.reload();
    await chat.answerEnds();
    await expect(chat.newestAnswer).toContainText('word150');
    await expectScreenEqualsStore(chat, page);
  }
});

test('one answer is one call to the provider', async ({ chat, upstream }) => {
  await chat.open();
  const question = 'Only once [[words=20 pace=5]]';
  await chat.send(question);
  await expect(chat.newestAnswer).toContainText('word20');
  const messagesOf = (body: Record<string, unknown>) => body['messages'] as { content: string }[];
  const asked = upstream.callsOf('chat').filter(({ body }) => messagesOf(body).at(-1)?.content === question);
  expect(asked).toHaveLength(1);
});

test('a stopped answer keeps its text and a notice', async ({ chat, member, page }) => {
  await chat.signIn(member);
  await chat.open();
  await chat.send('Go on and on [[words=2000 pace=20]]');
  await expect(chat.newestAnswer).toContainText('word20 ');
  await chat.stopButton.click();
  await chat.answerEnds();
  await expect(chat.newestAnswer.getByText('You stopped this answer.')).toBeVisible();
  const stored = (await chat.storedMessages(await openThreadId(page))).at(-1);
  expect(stored?.status).toBe('stopped');
  expect(stored?.content).toContain('word20 ');
  expect(stored?.content).not.toContain('word2000');
});

test.describe('when the server is killed', () => {
  test.use({ expectedErrors: [/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|WebSocket/] });

  test('the answer keeps its text, is marked as interrupted and can be retried', async ({
    chat,
    member,
    page,
    product,
    upstream,
  }) => {
    await chat.signIn(member);
    await chat.open();
    // The first answer pauses after 100 words; that of the retry is short.
    const words = Array.from({ length: 100 }, (_, index) => ({ text: `word${index + 1} ` }));
    upstream.script({ pace: 20, steps: [...words, { stall: true }] });
    await chat.send('Tell me a long story [[words=120 pace=2]]');
    await expect(chat.newestAnswer).toContainText('word100 ');
    await product.kill();
    await product.start();

    await expect(chat.newestAnswer.getByText(/interrupted/i)).toBeVisible({ timeout: 90_000 });
    const stored = (await chat.storedMessages(await openThreadId(page))).at(-1);
    expect(stored?.status).toBe('interrupted');
    expect(stored?.content).toContain('word20 ');

    await chat.newestAnswer.getByRole('button', { name: 'Retry' }).click();
    await expect(chat.newestAnswer).toContainText('word120', { timeout: 60_000 });
    await chat.answerEnds();
    await expectScreenEqualsStore(chat, page);
  });
});

test.describe('when the first API calls fail', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('a message is sent once there is a connection', async ({ chat, page }) => {
    await page.route('**/api/**', (route) => route.abort());
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    await page.unroute('**/api/**');
    await chat.send('Hello again [[words=5]]');
    await expect(chat.newestAnswer).toContainText('word5');
  });
});

test.describe('when WebSockets are blocked', () => {
  test.use({ expectedErrors: [/WebSocket/] });

  test('an answer streams over polling', async ({ chat, page }) => {
    await page.addInitScript(() => {
      window.WebSocket = class extends WebSocket {
        constructor() {
          super(`ws://${location.host}/nowhere`);
        }
      };
    });
    await chat.open();
    await chat.send('Come by another way [[words=20 pace=5]]');
    await chat.answerEnds();
    await expect(chat.newestAnswer).toContainText('word20');
  });
});
