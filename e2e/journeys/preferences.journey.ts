import { TEXTS, type AdminModel } from '@tanya/contract';
import { askedText } from '../../backend/test/harness/scripted-answers.js';
import { expect, test, type Page } from '../journey.js';
import { openAccount } from '../pages.js';

test.use({ provider: 'upstream', installation: 'preferences' });

const toggle = (page: Page) => page.getByRole('button', { name: 'Custom instructions' });

for (const width of [390, 1440]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test.beforeEach(async ({ chat, member }) => {
      await chat.signIn(member);
      await chat.open();
    });

    test('custom instructions are written, sent, and switched off for one conversation', async ({
      chat,
      page,
      upstream,
    }) => {
      const promptOf = (question: string) =>
        JSON.stringify(upstream.callsOf().findLast(({ body }) => askedText(body) === question)!.body);
      await expect(toggle(page)).toHaveCount(0);
      const account = await openAccount(page, 'Personal');
      await account.getByLabel('About me').fill('I teach <b>physics</b>.');
      await account.getByLabel('How to answer').fill('Use metric units.');
      await account.getByRole('button', { name: 'Save instructions' }).click();
      await expect(page.getByText('Instructions saved')).toBeVisible();
      await page.goto('/');
      await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
      await chat.send('Hello [[words=5]]');
      await expect(chat.newestAnswer).toContainText('word5');
      await chat.answerEnds();
      expect(promptOf('Hello [[words=5]]')).toContain('physics');

      await toggle(page).click();
      await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
      // The choice is stored for the conversation, and the next message reads it.
      await expect(toggle(page)).toHaveAttribute('aria-busy', 'false');
      await chat.send('Hello again [[words=6]]');
      await expect(chat.newestAnswer).toContainText('word6');
      await chat.answerEnds();
      expect(promptOf('Hello again [[words=6]]')).not.toContain('physics');
      await page.reload();
      await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');

      await page.getByRole('button', { name: TEXTS.sidebar.newChat, exact: true }).click();
      await expect(page).toHaveURL('/');
      await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
      await toggle(page).click();
      await chat.send('Without from the start [[words=7]]');
      await expect(chat.newestAnswer).toContainText('word7');
      expect(promptOf('Without from the start [[words=7]]')).not.toContain('physics');
      await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    });
  });
}

test('the model chosen last is used for new conversations on every device', async ({
  administrator,
  chat,
  member,
  other,
  page,
}) => {
  const added = await administrator.post('/api/admin/models', {
    data: { modelId: 'scripted/remembered', name: 'Remembered', provider: 'Scripted' },
  });
  expect(added.ok()).toBe(true);
  const { id } = (await added.json()) as AdminModel;
  await chat.signIn(member);
  await chat.open();
  await page.getByRole('button', { name: /^Model: / }).click();
  const stored = page.waitForResponse((response) => response.url().endsWith('/api/user/preferences') && response.ok());
  await page
    .getByRole('option', { name: /Remembered/ })
    .first()
    .click();
  await stored;
  await expect(page.getByRole('button', { name: 'Model: Remembered' })).toBeVisible();

  await other.page.setViewportSize({ width: 390, height: 844 });
  await other.chat.signIn(member);
  await other.chat.open();
  await expect(other.page.getByRole('button', { name: 'Model: Remembered' })).toBeVisible();

  // In place of a model that is no longer available, the default is used.
  expect((await administrator.delete(`/api/admin/models/${id}`)).ok()).toBe(true);
  await other.page.reload();
  await expect(other.page.getByRole('button', { name: 'Model: Remembered' })).toHaveCount(0);
  await expect(other.page.getByRole('button', { name: /^Model: / })).toBeVisible();
});
