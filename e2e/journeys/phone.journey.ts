import { TEXTS } from '@tanya/contract';
import { notes } from '../attachments.js';
import { openThreadId } from '../chat-screen.js';
import { expect, test, type Page } from '../journey.js';
import { PAGES, visit } from '../pages.js';

test.use({ provider: 'upstream', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'Open menu', expanded: false }).tap();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu).toBeVisible();
  const button = page.getByLabel('Open menu');
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await expect(button).toHaveAttribute('aria-controls', (await menu.getAttribute('id')) ?? '');
  return menu;
}

async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
}

/** Checks fields, buttons and standalone links; links within text are exempt. */
async function expectTouchTargetSizes(page: Page): Promise<void> {
  const tooSmall = await page
    .locator(
      'header a, button, input:not([type=file], [type=checkbox]), select, summary, [role=tab], .chakra-switch__root',
    )
    .evaluateAll((targets) =>
      targets.flatMap((target) => {
        const { width, height } = target.getBoundingClientRect();
        const isShown = width > 1 && getComputedStyle(target).visibility === 'visible' && !target.closest('p');
        return isShown && Math.min(width, height) < 39.5
          ? [`${target.outerHTML.slice(0, 200)}: ${width}×${height}`]
          : [];
      }),
    );
  expect(tooSmall).toEqual([]);
}

test('a member sends, attaches and renames a thread on a phone', async ({ chat, newcomer, page }) => {
  await chat.open();
  await openMenu(page);
  await chat.register(newcomer);
  await chat.attach([notes]);
  await chat.composer.fill('When does it close? [[words=5]]');
  await page.getByRole('button', { name: 'Send message' }).tap();
  await expect(chat.newestAnswer).toContainText('word5');
  const id = await openThreadId(page);
  await expectNoOverflow(page);

  const menu = await openMenu(page);
  await menu.getByRole('button', { name: /^Options for/ }).tap();
  await page.getByRole('menuitem', { name: 'Rename' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Rename chat' });
  await dialog.getByLabel('Title').fill('Opening hours');
  await dialog.getByRole('button', { name: 'Rename' }).tap();
  await expect(page.getByText(TEXTS.threads.renamed)).toBeVisible();

  await menu.getByRole('link', { name: TEXTS.sidebar.home }).tap();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL('/');
  await (await openMenu(page)).getByRole('link', { name: 'Opening hours' }).tap();
  await expect(page).toHaveURL(`/chat/${id}`);
  await expect(chat.newestAnswer).toContainText('word5');

  await page.getByRole('button', { name: 'Chat options' }).tap();
  await page.getByRole('menuitem', { name: 'Archive' }).tap();
  await page.getByRole('note').getByRole('button', { name: 'Unarchive' }).tap();
  await expect(page.getByRole('note')).toHaveCount(0);
  await page.getByRole('button', { name: 'Chat options' }).tap();
  await page.getByRole('menuitem', { name: 'Delete' }).tap();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap();
  await expect(page).toHaveURL('/');
});

test('the composer of a new chat is at the bottom of the screen, and the ideas run to its edges', async ({
  chat,
  page,
}) => {
  await chat.open();
  const idea = page.getByRole('button', { name: /^Use: / });
  await expect(idea).toHaveCount(4);
  const composer = (await page.locator('.composer').boundingBox())!;
  expect(844 - composer.y - composer.height).toBeLessThanOrEqual(20);
  const first = (await idea.first().boundingBox())!;
  expect(first.y + first.height).toBeLessThanOrEqual(composer.y);
  const row = (await page.locator('ul[id]').boundingBox())!;
  expect([row.x, row.width]).toEqual([0, 390]);
});

test('a new chat keeps its send button in view above the on-screen keyboard, also with a long message', async ({
  chat,
  page,
}) => {
  await chat.open();
  await expect(page.getByRole('button', { name: /^Use: / })).toHaveCount(4);
  await chat.composer.tap();
  await page.setViewportSize({ width: 390, height: 480 });
  for (const text of ['When does it close?', 'line\n'.repeat(30)]) {
    await chat.composer.fill(text);
    await expect(page.getByRole('button', { name: 'Send message' })).toBeInViewport({ ratio: 1 });
  }
});

test('an answer that failed has its time in the middle of the row below its buttons', async ({ chat, page }) => {
  await chat.open();
  await chat.composer.fill('When does it close? [[status=500]]');
  await page.getByRole('button', { name: 'Send message' }).tap();
  const retry = chat.newestAnswer.getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  const [button, time] = [await retry.boundingBox(), await chat.newestAnswer.locator('time').boundingBox()];
  expect(time!.y - button!.y - button!.height).toBeGreaterThanOrEqual(8);
});

test('the sections of the settings are one row on a phone, which stays and shows the current one', async ({
  chat,
  page,
  product,
}) => {
  await chat.signIn(product.admin);
  await page.goto('/admin/settings');
  const sections = page.getByRole('navigation', { name: 'Sections' });
  const current = sections.locator('[aria-current]');
  await expect(current).toHaveText('Application Settings');
  expect((await sections.boundingBox())!.height).toBeLessThanOrEqual(60);
  await page.locator('#budgets').evaluate((section) => section.scrollIntoView());
  await expect(current).toHaveText('Budgets');
  await expect(current).toBeInViewport({ ratio: 1 });
});

test('pages of the administrator fit a phone and have large touch targets', async ({ chat, page, product }) => {
  await chat.signIn(product.admin);
  await page.goto('/');
  for (const path of [...PAGES, '/no/such/page']) {
    await visit(page, path);
    await expectNoOverflow(page);
    await expectTouchTargetSizes(page);
  }
  await openMenu(page);
  await expectTouchTargetSizes(page);
});
