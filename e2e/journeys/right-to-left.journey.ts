import type { Locator } from '@playwright/test';
import { expect, test, type Page } from '../journey.js';
import { PAGES, visit } from '../pages.js';

test.use({ provider: 'upstream' });

const question = 'متى يغلق الميناء؟';
const answer = [
  'يغلق الميناء في الساعة السادسة.',
  '- صباحا\n- مساء',
  '```js\nconst hour = 6;\n```',
  'It closes at six.',
];

/** Alignment of a text: the side of its container that the text is nearer to. */
const startOf = (element: Locator) =>
  element.evaluate((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const [place, text] = [node.getBoundingClientRect(), range.getBoundingClientRect()];
    return text.left - place.left > place.right - text.right ? 'right' : 'left';
  });

test('right-to-left text is aligned right, code and Latin text left', async ({ chat, page, upstream }) => {
  await chat.open();
  await chat.composer.fill(question);
  await expect(chat.composer).toHaveCSS('direction', 'rtl');
  upstream.script({ steps: [{ text: answer.join('\n\n') }, { finish: 'stop' }, { done: true }] });
  await page.keyboard.press('Enter');
  await chat.answerEnds();
  await expect(chat.ownMessages.last().getByText(question)).toHaveCSS('direction', 'rtl');
  await expect.poll(() => startOf(chat.newestAnswer.getByText(answer[0] ?? ''))).toBe('right');
  await expect(chat.newestAnswer.getByRole('list')).toHaveCSS('direction', 'rtl');
  await expect(chat.newestAnswer.locator('code')).toHaveCSS('direction', 'ltr');
  await expect.poll(() => startOf(chat.newestAnswer.getByText('It closes at six.'))).toBe('left');
});

test('a formula in a right-to-left sentence is read from left to right', async ({ chat, page, upstream }) => {
  await chat.open();
  await expect(page.getByRole('button', { name: /^Use: / }).first()).toBeVisible();
  upstream.script({ steps: [{ text: 'يستغرق العبور $\\mu = 42$ دقيقة.' }, { finish: 'stop' }, { done: true }] });
  await chat.send(question);
  await chat.answerEnds();
  const parts = chat.newestAnswer.locator('.katex .base');
  await expect(parts).toHaveCount(2);
  const [first, second] = [await parts.first().boundingBox(), await parts.last().boundingBox()];
  expect(first!.x).toBeLessThan(second!.x);
});

/** Mirrors the page as a catalogue of a right-to-left language would. */
const mirror = (page: Page) => page.evaluate(() => void (document.documentElement.dir = 'rtl'));

/** Elements beyond either side of the screen, apart from those in a container that scrolls, and the page's own overflow. */
const overflowing = (page: Page) =>
  page.evaluate(() => {
    const mayScroll = (element: Element) =>
      element.closest('pre, .table-frame, ul[id], [role=region], main nav') !== null;
    const { scrollWidth, clientWidth } = document.documentElement;
    const beyond = [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 1 && !mayScroll(element) && (left < -1 || right > innerWidth + 1);
      })
      .map((element) => element.outerHTML.slice(0, 160));
    return scrollWidth > clientWidth ? [`the page scrolls: ${scrollWidth} px`, ...beyond] : beyond;
  });

const PHONE = { width: 390, height: 844 };
const TABLET = { width: 768, height: 1024 };
const DESKTOP = { width: 1440, height: 900 };

test('the main screens fit a right-to-left page on phones, tablets and desktops', async ({
  chat,
  page,
  product,
  upstream,
}) => {
  const expectFits = async (screen: string, opened?: Locator) => {
    await mirror(page);
    for (const size of [TABLET, DESKTOP, PHONE]) {
      await page.setViewportSize(size);
      if (opened) await expect(opened).toBeVisible();
      await expect.poll(() => overflowing(page), `${screen} at ${size.width} px`).toEqual([]);
    }
  };
  await chat.open();
  await expect(page.getByRole('button', { name: /^Use: / }).first()).toBeVisible();
  await expectFits('home of a guest');
  await chat.signIn(product.admin);
  await chat.open();
  upstream.script({ steps: [{ text: answer.join('\n\n') }, { finish: 'stop' }, { done: true }] });
  await chat.send(question);
  await chat.answerEnds();
  await expectFits('a conversation');
  await page.setViewportSize(DESKTOP);
  await expect(page.getByRole('button', { name: 'Hide sidebar' }).locator('svg')).toHaveCSS('scale', '-1 1');
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: /^Model: / }).click();
  await expectFits('the model picker', page.getByRole('option').first());
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  await expect.poll(() => overflowing(page), 'the menu').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  for (const path of [...PAGES, '/reset-password']) {
    await visit(page, path);
    await expectFits(path);
  }
});
