import { expect, test, type Page } from '../journey.js';
import { PAGES, visit } from '../pages.js';

/** The viewport of 1280 px at 400 % zoom, and of the smallest phones. */
test.use({ provider: 'upstream', installation: 'of long names', viewport: { width: 320, height: 568 } });

const longName = 'W'.repeat(90);
const longWord = 'unbreakable'.repeat(30);

/** Elements that overflow the screen, and text that requires horizontal scrolling. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // Code, tables, a row of cards and that of the sections of a page may scroll.
    const mayScroll = (element: Element) => element.closest('pre, .table-frame, ul[id], main nav') !== null;
    const isSeen = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return [...document.querySelectorAll('body *')]
      .filter((element) => isSeen(element) && !mayScroll(element))
      .filter((element) => {
        const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX);
        const { left, right } = element.getBoundingClientRect();
        const sticksOut = right > innerWidth + 1 && left < innerWidth && right - left > 1;
        return sticksOut || (scrolls && element.scrollWidth > element.clientWidth + 1);
      })
      .map((element) => element.outerHTML.slice(0, 160));
  });
}

const expectFits = (page: Page, screen: string) => expect.poll(() => tooWide(page), screen).toEqual([]);

const NARROW = { width: 320, height: 568 };
const TABLET = { width: 768, height: 1024 };

/** The same on the narrowest screen and on a tablet. */
async function expectFitsBoth(page: Page, screen: string): Promise<void> {
  for (const size of [TABLET, NARROW]) {
    await page.setViewportSize(size);
    await expectFits(page, `${screen} at ${size.width} px`);
  }
}

test('no page requires horizontal scrolling on narrow screens and tablets, even with long names', async ({
  administrator,
  chat,
  page,
  product,
}) => {
  const user = { username: 'x'.repeat(64), fullName: longName, email: `${'e'.repeat(60)}@example.org` };
  expect((await administrator.post('/api/admin/users', { data: { ...user, password: 'a long password' } })).ok()).toBe(
    true,
  );
  const model = { modelId: `scripted/${'m'.repeat(90)}`, name: longName, provider: 'P'.repeat(60) };
  expect((await administrator.post('/api/admin/models', { data: model })).ok()).toBe(true);

  await chat.open();
  await expect(page.getByRole('button', { name: /^Use: / }).first()).toBeVisible();
  await expectFitsBoth(page, 'home of a guest');
  await chat.signIn(product.admin);
  await chat.open();
  await chat.send(`${longWord} [[words=5]]`);
  await chat.answerEnds();
  await expectFitsBoth(page, 'a conversation');
  await page.getByRole('button', { name: /^Model: / }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectFits(page, 'the models to choose from');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('button', { name: /^Options for/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  // Before the question has the focus, Escape would close the menu.
  await expect(page.getByRole('alertdialog').locator(':focus')).toHaveCount(1);
  await expectFits(page, 'the question before a thread goes');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  for (const path of [...PAGES, '/no/such/page']) {
    await visit(page, path);
    await expectFitsBoth(page, path);
  }
});

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('the row of a user with long names has one line per text', async ({ administrator, chat, page, product }) => {
    const email = `${'e'.repeat(60)}@example.com`;
    const user = { username: 'y'.repeat(64), fullName: 'Siti Aminah '.repeat(7).trim(), email };
    expect(
      (await administrator.post('/api/admin/users', { data: { ...user, password: 'a long password' } })).ok(),
    ).toBe(true);
    await chat.signIn(product.admin);
    await page.goto('/admin/users');
    const row = page.getByRole('row').filter({ hasText: user.username });
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(row.getByRole('button', { name: 'Delete' })).toBeInViewport({ ratio: 1 });
      await expect(row.getByText(/^Created /)).toBeInViewport({ ratio: 1 });
      for (const text of [user.fullName, user.username, email]) {
        const box = await row.getByTitle(text).boundingBox();
        expect(box?.height, text).toBeLessThan(30);
        expect(box?.width, text).toBeGreaterThan(120);
      }
      await expectFits(page, `the users at ${width} px`);
    }
  });

  test('the last column of the models is on the screen beside a model with long names', async ({
    administrator,
    chat,
    page,
    product,
  }) => {
    const model = { modelId: 'vendor/'.repeat(20), name: 'A long name '.repeat(9).trim(), provider: 'V'.repeat(60) };
    expect((await administrator.post('/api/admin/models', { data: model })).ok()).toBe(true);
    await chat.signIn(product.admin);
    await page.goto('/admin');
    const row = page.getByRole('row').filter({ hasText: model.name });
    await expect(row.getByRole('button').last()).toBeInViewport({ ratio: 1 });
    await expectFits(page, 'the models');
  });
});
