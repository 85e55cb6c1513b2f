import { ADMIN_TEXTS, TEXTS } from '@tanya/contract';
import { expect, test, type Page } from '../journey.js';

test.use({ provider: 'upstream', installation: 'of the administrator' });

const budi = { username: 'budi', password: 'a first password' };

function row(page: Page, name: string) {
  return page.getByRole('row').filter({ hasText: name });
}

async function goTo(page: Page, link: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: link }).click();
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
}

test('an administrator adds a model, makes it the default, restricts it to premium users and imports another', async ({
  chat,
  other,
  page,
  product,
}) => {
  await other.chat.open();
  await expect(other.page.getByRole('button', { name: /^Model: / })).toBeVisible();
  await chat.signIn(product.admin);
  await chat.open();
  await goTo(page, TEXTS.sidebar.llmModels);

  await page.getByRole('button', { name: 'Add New Model' }).click();
  await page.getByRole('button', { name: 'Add Model' }).click();
  await expect(page.getByText(TEXTS.validation.missingInformation)).toBeVisible();
  await page.getByLabel('Model ID').fill('scripted/harbour');
  await page.getByLabel('Display Name').fill('Harbour Pilot');
  await page.getByLabel('Provider', { exact: true }).fill('Scripted');
  await page.getByRole('button', { name: 'Add Model' }).click();
  await expect(page.getByText(ADMIN_TEXTS.models.created)).toBeVisible();

  const added = row(page, 'scripted/harbour');
  await added.getByRole('button', { name: 'Set as Default' }).click();
  await expect(page.getByText(ADMIN_TEXTS.models.defaultUpdated)).toBeVisible();
  await expect(added.getByRole('button', { name: 'Default', exact: true })).toBeDisabled();
  await expect(other.page.getByRole('button', { name: 'Model: Harbour Pilot' })).toBeVisible();

  await row(page, 'openai/gpt-4o-mini').getByRole('button', { name: 'Set as Default' }).click();
  await expect(other.page.getByRole('button', { name: 'Model: GPT-4o Mini' })).toBeVisible();
  await added.getByRole('button', { name: /^Edit / }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Model' });
  await dialog.getByLabel('Who may use it').selectOption('Premium members');
  await dialog.getByRole('button', { name: ADMIN_TEXTS.models.saveChanges }).click();
  await expect(dialog).toBeHidden();

  await other.page.getByRole('button', { name: /^Model: / }).click();
  const locked = other.page.getByRole('option', { name: /Harbour Pilot/ });
  await expect(locked.getByRole('img', { name: 'Premium only' })).toBeVisible();
  await locked.click();
  await expect(other.page.getByRole('dialog', { name: TEXTS.upgrade.title })).toBeVisible();

  await added.getByRole('button', { name: /^Delete / }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(ADMIN_TEXTS.models.deleted)).toBeVisible();
  await expect(added).toHaveCount(0);

  // An imported model becomes available to other users.
  await other.page.keyboard.press('Escape');
  await expect(other.page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('tab', { name: 'Import Models' }).click();
  const offered = row(page, 'scripted/large');
  await expect(offered).toContainText('16,384');
  await offered.getByRole('button', { name: 'Import' }).click();
  await expect(offered.getByRole('button', { name: 'Imported' })).toBeDisabled();

  await other.page.getByRole('button', { name: /^Model: / }).click();
  await other.page.getByRole('combobox', { name: 'Search models' }).fill('large');
  await other.page.getByRole('option', { name: 'SCRIPTED/LARGE' }).click();
  await expect(other.page.getByRole('button', { name: 'Model: SCRIPTED/LARGE' })).toBeVisible();
});

test('an administrator creates a user, grants premium and resets the password', async ({
  chat,
  other,
  page,
  product,
}) => {
  await chat.signIn(product.admin);
  await chat.open();
  await goTo(page, TEXTS.sidebar.manageUsers);
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: ADMIN_TEXTS.users.addTitle });
  const create = dialog.getByRole('button', { name: 'Create User' });
  await expect(create).toBeDisabled();
  await dialog.getByLabel(TEXTS.auth.username).fill(budi.username);
  await dialog.getByLabel(TEXTS.auth.password, { exact: true }).fill(budi.password);
  await create.click();
  await expect(page.getByText(ADMIN_TEXTS.users.created)).toBeVisible();
  await expect(row(page, budi.username).getByText(ADMIN_TEXTS.users.noContact)).toBeVisible();

  await other.chat.open();
  await other.chat.logIn(budi);
  const account = other.page.getByRole('link', { name: `Account of ${budi.username}` });
  await expect(account).toContainText(TEXTS.sidebar.free);
  await other.chat.composer.fill('A thought that is not finished');

  await chooseAction(page, budi.username, 'Make Premium');
  await expect(page.getByText(ADMIN_TEXTS.users.premiumUpdated)).toBeVisible();
  await expect(account).toContainText(TEXTS.sidebar.premium);
  await expect(other.page.getByTestId('quota')).toHaveText(TEXTS.chat.unlimited);

  await chooseAction(page, budi.username, 'Reset Password');
  const reset = page.getByRole('dialog', { name: 'Reset Password' });
  await reset.getByLabel('New Password').fill('a second password');
  await reset.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByText(ADMIN_TEXTS.users.passwordReset)).toBeVisible();

  await expect(other.page.getByRole('button', { name: TEXTS.sidebar.login }).first()).toBeVisible();
  await other.chat.logIn({ ...budi, password: 'a second password' });
  await expect(other.chat.composer).toHaveValue('A thought that is not finished');
});

test('a promotion shows at once, and a demotion is reported', async ({ chat, member, other, page, product }) => {
  await other.chat.signIn(member);
  await other.chat.open();
  const manageUsers = other.page.getByRole('navigation').getByRole('link', { name: TEXTS.sidebar.manageUsers });
  await chat.signIn(product.admin);
  await chat.open();
  await goTo(page, TEXTS.sidebar.manageUsers);
  await expect(manageUsers).toBeHidden();
  await chooseAction(page, member.username, 'Make Admin');
  await expect(manageUsers).toBeVisible();

  await goTo(other.page, TEXTS.sidebar.manageUsers);
  await expect(row(other.page, member.username)).toBeVisible();
  await chooseAction(page, member.username, 'Remove Admin');
  await expect(other.page.getByText('Your rights have changed. Please log in again.')).toBeVisible();
  await expect(other.page).toHaveURL('/');
  await expect(manageUsers).toBeHidden();
});

test('changes of texts, quotas and keys apply to open pages', async ({ chat, other, page, product, upstream }) => {
  await other.chat.open();
  await chat.signIn(product.admin);
  await chat.open();
  await goTo(page, TEXTS.sidebar.generalSettings);
  await page.getByLabel('Site Title').fill('');
  await save(page);
  await expect(page.getByText(TEXTS.validation.siteTitleRequired)).toBeVisible();
  await expect(page.getByLabel('Site Title')).toBeFocused();

  await page.getByLabel('Site Title').fill('Harbour Help');
  await page.getByLabel('Guest', { exact: true }).fill('7');
  await page.getByLabel('Premium User').fill('500');
  await page.getByRole('button', { name: ADMIN_TEXTS.settings.setUnlimited }).click();
  await expect(page.getByLabel('Premium User')).toHaveValue('-1');
  await page.getByLabel('OpenRouter API Key').fill('sk-harbour-0123456789-wxyz');
  await save(page);
  await expect(page.getByText(ADMIN_TEXTS.settings.saved)).toBeVisible();
  await expect(other.page).toHaveTitle(/Harbour Help/);
  await expect(other.page.getByTestId('quota')).toHaveText('0/7');

  await page.reload();
  await expect(page.getByLabel('OpenRouter API Key')).toHaveValue(/^•+wxyz$/);
  await expect(page.getByText(ADMIN_TEXTS.settings.keySet, { exact: true })).toBeVisible();
  await other.chat.send('Who pays? [[words=5]]');
  await expect(other.chat.newestAnswer).toContainText('word5');
  expect(upstream.callsOf('chat').at(-1)?.headers.authorization).toBe('Bearer sk-harbour-0123456789-wxyz');
});

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: ADMIN_TEXTS.settings.save }).click();
}

/** Uses the button of an action, or the menu on narrow screens. */
async function chooseAction(page: Page, username: string, action: string): Promise<void> {
  const menu = row(page, username).getByRole('button', { name: `Actions for ${username}` });
  const button = row(page, username).getByRole('button', { name: action });
  await expect(menu.or(button).first()).toBeVisible();
  if (await button.isVisible()) return button.click();
  await menu.click();
  await page.getByRole('menuitem', { name: action }).click();
}
