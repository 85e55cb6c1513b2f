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
