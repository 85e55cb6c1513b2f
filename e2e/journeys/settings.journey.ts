import { ADMIN_TEXTS, TEXTS } from '@tanya/contract';
import { expectAccessible } from '../accessibility.js';
import { expect, test, type Page } from '../journey.js';

test.use({ installation: 'of the settings' });

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Unsaved changes' });
const title = (page: Page) => page.getByLabel('Site Title');

test.beforeEach(async ({ chat, page, product }) => {
  await chat.signIn(product.admin);
  await page.goto('/admin/users');
  await page.getByRole('navigation').getByRole('link', { name: TEXTS.sidebar.generalSettings }).click();
  await expect(title(page)).toBeVisible();
});

test('unsaved settings ask before a link is followed, before Back and before a reload', async ({ page }) => {
  const users = page.getByRole('navigation').getByRole('link', { name: TEXTS.sidebar.manageUsers });
  const settings = page.getByRole('navigation').getByRole('link', { name: TEXTS.sidebar.generalSettings });
  await test.step('a section that a link leads to is marked, however short', async () => {
    const ideas = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Conversation Ideas' });
    await ideas.click();
    await expect(page.locator('#ideas')).toBeInViewport();
    await expect(ideas).toHaveAttribute('aria-current', 'location');
  });

  await test.step('a link', async () => {
    await title(page).fill('Not saved');
    await users.click();
    await question(page).getByRole('button', { name: 'Stay' }).click();
    await expect(question(page)).toBeHidden();
    await expect(page).toHaveURL(/\/admin\/settings/);
    await expect(title(page)).toHaveValue('Not saved');

    await users.click();
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await expect(page).toHaveURL(/\/admin\/users/);
  });

  await test.step('Back, and they are saved on the way', async () => {
    await settings.click();
    await title(page).fill('Saved on the way');
    await page.goBack();
    await question(page).getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL(/\/admin\/users/);
    await expect(page).toHaveTitle(/Saved on the way/);
    await page.goForward();
    await expect(title(page)).toHaveValue('Saved on the way');
  });

  await test.step('Back, and a save that is refused shows the field', async () => {
    await page.getByLabel('Upgrade link').fill('javascript:alert(1)');
    await page.goBack();
    await question(page).getByRole('button', { name: 'Save' }).click();
    await expect(question(page)).toBeHidden();
    await expect(page).toHaveURL(/\/admin\/settings/);
    await expect(page.getByLabel('Upgrade link')).toBeFocused();
    await expect(page.getByText('1 field needs attention')).toBeVisible();
  });

  await test.step('a reload, with the dialog of the browser', async () => {
    await title(page).fill('Not saved');
    const asked = page.waitForEvent('dialog');
    const reload = page.reload();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reload;
    await expect(title(page)).toHaveValue('Saved on the way');
  });
});

/** Whether the bar with Save lies over the focused field; null when no field has the focus. */
const isCovered = (page: Page) =>
  page.evaluate(() => {
    const field = document.activeElement;
    const bar = [...document.querySelectorAll('main *')].find(
      (each) => getComputedStyle(each).position === 'sticky' && each.querySelector('[role=status]'),
    );
    if (!bar || !field?.closest('main form')) return null;
    const [own, over] = [field.getBoundingClientRect(), bar.getBoundingClientRect()];
    return own.bottom > over.top && own.top < over.bottom && own.right > over.left && own.left < over.right;
  });

test('the bar with Save covers no field that the keyboard reaches', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await title(page).focus();
  let fields = 0;
  for (; (await isCovered(page)) !== null; fields += 1) {
    await expect.poll(() => isCovered(page)).not.toBe(true);
    await page.keyboard.press('Tab');
  }
  expect(fields).toBeGreaterThan(30);
});

test('links and ideas of the settings reach visitors', async ({ other, page }) => {
  await page.getByLabel('Terms and conditions').fill('https://shop.example/terms');
  await page.getByRole('button', { name: 'Start with an empty list' }).click();
  await page.getByLabel('Idea 1', { exact: true }).fill('Ask about our menu');
  await test.step('on the narrowest phone, what the changes will do can be read', async () => {
    const screen = page.viewportSize()!;
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('button', { name: 'What will change' }).click();
    await expectAccessible(page, 'what the changes of the settings will do');
    await page.setViewportSize(screen);
  });
  await page.getByRole('button', { name: ADMIN_TEXTS.settings.save }).click();
  await expect(page.getByText('No unsaved changes')).toBeVisible();

  await other.chat.open();
  await expect(other.page.getByText('Ask about our menu')).toHaveCount(1);
  await other.page.getByRole('button', { name: TEXTS.sidebar.register }).first().click();
  const terms = other.page.getByRole('link', { name: 'terms and conditions' });
  await expect(terms).toHaveAttribute('href', 'https://shop.example/terms');
});

test('an administrator adds a connection, tests it and deletes it', async ({ page }) => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Connections' }).click();
  await expect(page).toHaveURL(/\/admin\/connections$/);
  await page.getByRole('button', { name: 'Add connection' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add connection' });
  await dialog.getByLabel('Name').fill('Basement');
  await dialog.getByLabel('Base URL').fill('http://127.0.0.1:9/v1');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByRole('status')).not.toBeEmpty();
  await dialog.getByRole('button', { name: 'Add connection' }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole('list', { name: 'Connections' }).getByRole('listitem').filter({ hasText: 'Basement' });
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: 'Delete Basement' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
});
