import type { Locator } from '@playwright/test';
import { expect, test } from '../journey.js';

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
