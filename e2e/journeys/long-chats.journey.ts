import { ADMIN_TEXTS, type AdminModel } from '@tanya/contract';
import { expectAccessible } from '../accessibility.js';
import { expect, test } from '../journey.js';

test.use({ installation: 'of long chats', provider: 'upstream' });
test.describe.configure({ mode: 'default' });

const CONTEXT = 4_000;
const TURN = 'Please remember this detail of our plan. '.repeat(20);
const SUMMARY = `The user plans a trip to Bromo in May. ${'They prefer trains and quiet places. '.repeat(8)}`;

test('an administrator chooses a fallback, and the answer says which model gave it and why', async ({
  administrator,
  chat,
  member,
  other,
  page,
  product,
  upstream,
}) => {
  for (const modelId of ['house/harbour', 'house/pilot']) {
    const created = await administrator.post('/api/admin/models', { data: { modelId, name: modelId } });
    expect(created.ok()).toBe(true);
  }
  await chat.signIn(product.admin);
  await page.goto('/admin');
  const row = page.getByRole('row').filter({ hasText: 'house/harbour' });
  const dialog = page.getByRole('dialog', { name: 'Edit Model' });
  await row.getByRole('button', { name: /^Edit / }).click();
  await expect(dialog.getByLabel('Second fallback')).toHaveCount(0);
  await dialog.getByLabel('First fallback').selectOption('house/pilot');
  await expect(dialog.getByLabel('Second fallback')).toBeVisible();
  await expectAccessible(page, 'fallbacks of a model');
  await dialog.getByRole('button', { name: ADMIN_TEXTS.models.saveChanges }).click();
  await expect(dialog).toBeHidden();
  await page.reload();
  await row.getByRole('button', { name: /^Edit / }).click();
  await expect(dialog.getByLabel('First fallback')).toHaveValue('house/pilot');

  await other.chat.signIn(member);
  await other.chat.open();
  await other.page.getByRole('button', { name: /^Model: / }).click();
  await other.page.getByRole('option', { name: 'house/harbour' }).click();
  upstream.script({ status: 402, body: JSON.stringify({ error: { message: 'Insufficient credits' } }) });
  await other.chat.send('Is the harbour open? [[words=5]]');
  await other.chat.answerEnds();
  const why = 'house/pilot answered instead of house/harbour, whose account has no credit left.';
  await expect(other.chat.newestAnswer).toContainText('word5');
  await expect(other.chat.newestAnswer).toContainText(why);
  // The next message asks the chosen model again.
  await other.page.reload();
  await expect(other.chat.newestAnswer).toContainText(why);
  await other.chat.send('And now? [[words=6]]');
  await other.chat.answerEnds();
  await expect(other.chat.newestAnswer).toContainText('word6');
  await expect(other.chat.newestAnswer).not.toContainText('answered instead');
  expect(upstream.callsOf().at(-1)?.body['model']).toBe('house/harbour');
});

for (const width of [390, 1440]) {
  test(`a long chat says that earlier messages are summarised, which can be undone, at ${width} px`, async ({
    administrator,
    chat,
    member,
    page,
    upstream,
  }) => {
    const modelId = `house/long-${width}`;
    const created = await administrator.post('/api/admin/models', { data: { modelId, contextLength: CONTEXT } });
    const { id } = (await created.json()) as AdminModel;
    await chat.signIn(member);
    let threadId: number | undefined;
    for (const [index, prompt] of [100, 100, 100, CONTEXT - 100].entries()) {
      const usage = { prompt, completion: 20 };
      upstream.script({
        steps: [{ text: `Answer ${index + 1}. ${TURN}` }, { finish: 'stop' }, { usage }, { done: true }],
      });
      const data = { content: `Question ${index + 1}. ${TURN}`, threadId, model: modelId };
      const sent = await page.request.post('/api/chat/message', { data });
      expect(sent.ok()).toBe(true);
      ({ threadId } = (await sent.json()) as { threadId: number });
    }
    await page.setViewportSize({ width, height: 844 });
    await chat.open(`/chat/${threadId}`);
    const line = page.getByRole('button', { name: 'Earlier messages are summarised' });
    await expect(chat.newestAnswer).toContainText('Answer 4.');
    await expect(line).toHaveCount(0);

    upstream.script({
      steps: [{ text: SUMMARY }, { finish: 'stop' }, { usage: { prompt: 900, completion: 90 } }, { done: true }],
    });
    await chat.send('Where do we go? [[words=4]]');
    await chat.answerEnds();
    await expect(chat.newestAnswer).toContainText('word4');
    await expect(line).toBeVisible();
    await expect(line).toHaveAttribute('aria-expanded', 'false');
    await expect(page.getByText('The user plans a trip to Bromo')).toBeHidden();
    await line.click();
    await expect(page.getByText('The user plans a trip to Bromo')).toBeVisible();
    await expect(page.getByText(/tokens became/)).toBeVisible();
    await expectAccessible(page, `a summary at ${width} px`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    // The messages stay.
    await expect(chat.ownMessages.first()).toContainText('Question 1.');

    await page.reload();
    await expect(line).toBeVisible();
    await page.getByRole('button', { name: 'Undo the summary' }).click();
    await expect(line).toHaveCount(0);
    expect((await page.request.get(`/api/chat/threads/${threadId}/summary`)).status()).toBe(404);
    await chat.send('And then? [[words=3]]');
    await chat.answerEnds();
    await expect(line).toHaveCount(0);
    expect((await administrator.delete(`/api/admin/models/${id}`)).ok()).toBe(true);
  });
}
