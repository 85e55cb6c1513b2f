import { TEXTS } from '@tanya/contract';
import { openThreadId } from '../chat-screen.js';
import { expect, test } from '../journey.js';

test.use({ provider: 'upstream' });

test('a guest with an exhausted quota registers and continues the same conversation', async ({
  chat,
  newcomer,
  page,
}) => {
  await chat.open();
  for (const word of ['first', 'second', 'third']) {
    await chat.send(`The ${word} question [[words=8]]`);
    await expect(chat.newestAnswer).toContainText(word);
    await expect(chat.newestAnswer).toContainText('word8');
  }
  const notice = page.getByRole('main').getByText(/You have used all of your messages/);
  await expect(notice).toBeVisible();
  const actions = page.getByRole('main').getByRole('button');
  await expect(actions.filter({ hasText: TEXTS.sidebar.register })).toBeVisible();
  await expect(actions.filter({ hasText: TEXTS.sidebar.login })).toBeVisible();

  await chat.register(newcomer);
  await expect(notice).toBeHidden();
  await expect(chat.newestAnswer).toContainText('third');
  await chat.send('The fourth question [[words=8]]');
  await expect(chat.newestAnswer).toContainText('fourth');
  expect(await chat.storedMessages(await openThreadId(page))).toHaveLength(8);
});
