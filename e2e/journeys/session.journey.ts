import { TEXTS } from '@tanya/contract';
import { ChatScreen, openThreadId } from '../chat-screen.js';
import { expect, test } from '../journey.js';
import { openAccount } from '../pages.js';

test.use({ provider: 'upstream' });

test.beforeEach(async ({ chat, member }) => {
  await chat.signIn(member);
  const { threadId } = await chat.post('The harbour [[words=5]]');
  await chat.open(`/chat/${threadId}`);
  await expect(chat.newestAnswer).toContainText('word5');
});

// A read that is on its way when the session ends is refused, or finds nothing as a guest.
test.describe('when another device, another tab or a click ends the session', () => {
  test.use({ expectedErrors: [/status of 40[14]/] });

  test('a draft survives the end of the session', async ({ chat, member, page }) => {
    const id = await openThreadId(page);
    await chat.composer.fill('And when does it');
    expect((await page.request.post('/api/user/logout-everywhere')).ok()).toBe(true);
    await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();

    await chat.logIn(member);
    await expect(page).toHaveURL(`/chat/${id}`);
    await expect(chat.newestAnswer).toContainText('word5');
    await expect(chat.composer).toHaveValue('And when does it');
  });

  test('a logout asks before it deletes the draft', async ({ chat, page }) => {
    await page.getByRole('button', { name: 'New chat', exact: true }).first().click();
    await expect(chat.ownMessages).toHaveCount(0);
    await chat.composer.fill('Between us');
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Between us');
    const question = page.getByRole('alertdialog', { name: 'Logout' });
    await page.getByRole('button', { name: 'Logout' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(chat.composer).toHaveValue('Between us');
    await page.getByRole('button', { name: 'Logout' }).click();
    await question.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).first()).toBeVisible();
    await expect(chat.composer).toHaveValue('');
    await page.reload();
    await expect(chat.composer).toHaveValue('');
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Between us');
  });

  test('tabs of a browser log in and out together and show the same version', async ({
    chat,
    context,
    member,
    page,
  }) => {
    const id = await openThreadId(page);
    const secondPage = await context.newPage();
    const second = new ChatScreen(secondPage);
    await second.open(`/chat/${id}`);
    await second.newestAnswer.getByRole('button', { name: 'Regenerate' }).click();
    for (const tab of [chat, second]) await expect(tab.newestAnswer.getByText('2/2')).toBeVisible();
    await second.newestAnswer.getByRole('button', { name: 'Previous version' }).click();
    await expect(chat.newestAnswer.getByText('1/2')).toBeVisible();
    await secondPage.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
    await second.logIn(member);
    await expect(chat.newestAnswer).toContainText('word5');
    await chat.send('Still here? [[words=6]]');
    await expect(chat.newestAnswer).toContainText('word6');
  });
});

test('a new password leaves this browser signed in', async ({ chat, member, page }) => {
  const address = page.url();
  const account = await openAccount(page, 'Security');
  await account.getByLabel('Current password').fill(member.password);
  await account.getByLabel('New password').fill('another long password');
  await account.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(address);
  // The server closes sockets of the old session after two seconds; the page has a new one by then.
  await page.waitForTimeout(2_500);
  await expect(page.getByRole('button', { name: TEXTS.sidebar.login, exact: true })).toBeHidden();
  await chat.send('Still mine? [[words=6]]');
  await expect(chat.newestAnswer).toContainText('word6');
});

test.describe('when the session ends while there is no connection', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|WebSocket/] });

  test('a waiting message is sent for its author alone, after the next login', async ({
    chat,
    context,
    member,
    page,
    upstream,
  }) => {
    const sent = () => upstream.callsOf('chat').filter(({ body }) => JSON.stringify(body).includes('Between us'));
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await chat.send('Between us [[words=6]]');
    await expect(chat.ownMessages.last().getByText('Will be sent when the connection is back.')).toBeVisible();
    await context.clearCookies({ name: /sid$/ });
    await context.setOffline(false);
    await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('Connection lost.')).toBeHidden();
    await page.waitForTimeout(1_000);
    expect(sent()).toEqual([]);
    await expect(page.getByText('Between us')).toBeHidden();

    await chat.logIn(member);
    await expect(chat.newestAnswer).toContainText('word6');
    expect(sent()).toHaveLength(1);
  });
});

test.describe('when the server restarts without the session', () => {
  test.use({ expectedErrors: [/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|WebSocket/] });

  test('the page reports the end of the session and sends nothing as a guest', async ({
    chat,
    context,
    member,
    page,
    product,
  }) => {
    await chat.composer.fill('And when does it');
    await page.waitForLoadState('networkidle');
    await product.kill();
    await context.clearCookies({ name: /sid$/ });
    await product.start();
    await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
    await chat.logIn(member);
    await expect(chat.newestAnswer).toContainText('word5');
    await expect(chat.composer).toHaveValue('And when does it');
  });
});
