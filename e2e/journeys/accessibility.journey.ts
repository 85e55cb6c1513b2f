import { ADMIN_TEXTS, TEXTS } from '@tanya/contract';
import { expectAccessible } from '../accessibility.js';
import { expect, test, type Page } from '../journey.js';
import { openAccount, visit } from '../pages.js';

const answer = [
  '## A table, a list and some code',
  '| Port | Open |\n| --- | --- |\n| Harbour | yes |',
  '- [x] done\n- [ ] to do, see [the harbour](https://harbour.example)',
  '> quoted `code`',
  '```js\nconst depth = 12; // metres\nreturn `deep ${depth}`;\n```',
].join('\n\n');

/** Opens a dialog, checks it, and closes it with the keyboard. */
async function checkDialog(page: Page, name: string | RegExp, open: () => Promise<void>): Promise<void> {
  await open();
  const dialog = page.getByRole(/delete|revoke/i.test(String(name)) ? 'alertdialog' : 'dialog', { name });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, `dialog ${name}`);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

const press = (page: Page, name: string) => () => page.getByRole('button', { name, exact: true }).first().click();

// Two of the screens are a conversation and a link that do not exist.
test.use({ provider: 'upstream', expectedErrors: [/404 \(Not Found\)/] });
test.setTimeout(480_000);

test('axe finds no violation on the screens of a guest', async ({ chat, page, upstream }) => {
  await chat.open();
  await expect(page.getByRole('button', { name: /^Use: / }).first()).toBeVisible();
  await expectAccessible(page, 'home');
  await checkDialog(page, TEXTS.auth.loginTitle, press(page, TEXTS.sidebar.login));
  await checkDialog(page, TEXTS.auth.registerTitle, async () => {
    await press(page, TEXTS.sidebar.register)();
    await expect(page.getByRole('dialog', { name: TEXTS.auth.registerTitle })).toBeVisible();
    await expectAccessible(page, 'the empty form of a registration');
    await page.getByRole('dialog').getByRole('button', { name: TEXTS.sidebar.register, exact: true }).click();
    await expect(page.getByText(TEXTS.validation.phoneNumber)).toBeVisible();
  });
  await checkDialog(page, TEXTS.upgrade.title, press(page, TEXTS.chat.upgrade));
  await checkDialog(page, TEXTS.sidebar.createImage, press(page, TEXTS.sidebar.createImage));
  await checkDialog(page, 'Keyboard shortcuts', press(page, 'Keyboard shortcuts'));
  upstream.script({ steps: [{ text: answer }, { finish: 'stop' }, { done: true }] });
  await chat.send('Show me a table and some code');
  await expect(chat.newestAnswer.getByRole('table')).toBeVisible();
  await chat.answerEnds();
  await expectAccessible(page, 'chat with an answer');
  await checkDialog(page, 'Choose a model', () => page.getByRole('button', { name: /^Model: / }).click());
  await press(page, 'Chat options')();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expectAccessible(page, 'menu of a conversation');
  await page.keyboard.press('Escape');
  await chat.send('Something that fails [[status=500]]');
  await expect(chat.newestAnswer.getByRole('button', { name: 'Retry' })).toBeVisible();
  await expectAccessible(page, 'an answer that failed');
  await visit(page, '/no/such/page');
  await expect(page.getByRole('heading', { name: TEXTS.notFound })).toBeVisible();
  await expectAccessible(page, '404');
});

test('axe finds no violation on the threads of a member', async ({ chat, member, page }) => {
  await chat.signIn(member);
  await chat.open();
  await chat.send('A thread [[words=5]]');
  await chat.answerEnds();
  const options = page.getByRole('button', { name: /^Options for / }).first();
  for (const [item, dialog] of [
    ['Rename', 'Rename chat'],
    ['Delete', 'Delete chat'],
  ] as const) {
    await options.click();
    await expect(page.getByRole('menuitem', { name: item })).toBeVisible();
    await expectAccessible(page, `menu of a thread, for ${item}`);
    await checkDialog(page, dialog, () => page.getByRole('menuitem', { name: item }).click());
  }
  await checkDialog(page, 'Find in this chat', async () => {
    await press(page, 'Chat options')();
    await page.getByRole('menuitem', { name: 'Find in this chat' }).click();
  });
  await checkDialog(page, 'Search and commands', async () => {
    await page.keyboard.press('Control+K');
    await page.keyboard.type('thread');
    await expect(page.getByRole('option', { name: /A thread/ })).toBeVisible();
  });
  await checkDialog(page, 'Archived chats', press(page, 'Archived chats'));
  await checkDialog(page, 'Share chat', press(page, 'Share chat'));
  await chat.newestAnswer.hover();
  await press(page, 'Good answer')();
  await checkDialog(page, 'What was good about this answer?', press(page, 'Add a reason'));
  await press(page, 'Answer with another model')();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expectAccessible(page, 'menu of the models for another answer');
  await page.keyboard.press('Escape');
  await options.click();
  await page.getByRole('menuitem', { name: 'Select' }).click();
  await expect(page.getByRole('toolbar')).toBeVisible();
  await expectAccessible(page, 'selection of threads');
  await page.keyboard.press('Escape');
  await page.goto('/chat/999999999');
  await expect(page.getByRole('heading', { name: TEXTS.chat.loadError })).toBeVisible();
  await expectAccessible(page, 'a conversation that cannot be read');
});

test('axe finds no violation on the screens of an administrator', async ({ chat, member, page, product }) => {
  await chat.signIn(product.admin);
  await page.goto('/admin');
  await expect(page.getByRole('button', { name: /^Edit / }).first()).toBeVisible();
  await expectAccessible(page, 'models');
  await checkDialog(page, 'Edit Model', () =>
    page
      .getByRole('button', { name: /^Edit / })
      .first()
      .click(),
  );
  await checkDialog(page, ADMIN_TEXTS.models.deleteTitle, () =>
    page
      .getByRole('button', { name: /^Delete / })
      .last()
      .click(),
  );
  await page.getByRole('tab', { name: 'Import Models' }).click();
  await expect(page.getByRole('button', { name: 'Import' }).first()).toBeVisible();
  await expectAccessible(page, 'import');

  await visit(page, '/admin/users');
  await expect(page.getByRole('button', { name: 'Edit', exact: true }).first()).toBeVisible();
  await expectAccessible(page, 'users');
  await checkDialog(page, ADMIN_TEXTS.users.addTitle, press(page, 'Add User'));
  await checkDialog(page, ADMIN_TEXTS.users.editTitle, press(page, 'Edit'));
  await checkDialog(page, 'Reset Password', () =>
    page.getByRole('row').filter({ hasText: member.username }).getByRole('button', { name: 'Reset Password' }).click(),
  );

  await visit(page, '/admin/settings');
  await expect(page.getByLabel('Site Title')).toBeVisible();
  await expectAccessible(page, 'settings');

  await visit(page, '/api-integration');
  await page.getByRole('button', { name: 'Generate API Key' }).click();
  await expect(page.getByRole('button', { name: 'Revoke API Key' })).toBeVisible();
  await expectAccessible(page, 'API Integration');
  await checkDialog(page, 'Revoke API key', press(page, 'Revoke API Key'));

  await visit(page, '/account');
  for (const tab of ['General', 'Personal', 'Security', 'Data'] as const) {
    await openAccount(page, tab);
    await expectAccessible(page, `account, ${tab}`);
  }
  for (const path of [
    '/admin/keys',
    '/admin/tools',
    '/admin/usage',
    '/admin/failures',
    '/admin/audit',
    '/admin/installation',
    '/usage',
    '/share/unknown',
  ]) {
    await visit(page, path);
    await expectAccessible(page, path);
  }
  // The link of a mail loads the page.
  await page.goto('/reset-password?token=unknown');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page, 'reset of a password');
});

test('a forced palette, which paints no backgrounds, shows states and own messages by lines', async ({
  chat,
  page,
  product,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await chat.signIn(product.admin);
  await chat.open();
  await chat.send('A thread [[words=5]]');
  await chat.answerEnds();
  await expect(page.getByRole('link', { name: /^A thread/ })).toHaveCSS('outline-style', 'solid');
  await expect(chat.ownMessages.last().locator('.user-bubble')).toHaveCSS('outline-style', 'solid');
  await page.goto('/admin');
  await expect(page.getByRole('tab', { selected: true })).toHaveCSS('border-bottom-width', '3px');
  await expect(page.getByRole('tab', { selected: false })).not.toHaveCSS('border-bottom-width', '3px');
  const colours = await page.locator('.chakra-switch__control[data-state=checked]').evaluateAll((controls) =>
    controls.map((control) => {
      const thumb = control.querySelector('.chakra-switch__thumb')!;
      return [control, thumb].map((part) => getComputedStyle(part).backgroundColor);
    }),
  );
  expect(colours).not.toEqual([]);
  for (const [control, thumb] of colours) expect(control).not.toBe(thumb);
});
