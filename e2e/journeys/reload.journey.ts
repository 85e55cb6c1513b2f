import { openThreadId } from '../chat-screen.js';
import { expect, test } from '../journey.js';

/** More of them by hand: `RELOADS=50 node scripts/test.mjs e2e reload`. */
const reloads = Number(process.env.RELOADS ?? 10);
/** Of one answer: 500 words, 3 ms apart at least. */
const answerTakes = 1_500;

test.use({ provider: 'upstream' });
test.setTimeout(20_000 + reloads * 20_000);

test(`${reloads} answers of 500 words survive a reload at a random moment`, async ({ chat, member, page }) => {
  await chat.signIn(member);
  for (let round = 1; round <= reloads; round += 1) {
    await test.step(`round ${round}`, async () => {
      await page.goto('/');
      await chat.send(`Round ${round} [[words=500 pace=3]]`);
      const id = await openThreadId(page);
      await page.waitForTimeout(Math.random() * answerTakes);
      await page.reload();
      await expect(chat.newestAnswer).toContainText('word500', { timeout: 20_000 });
      await chat.answerEnds();
      const stored = (await chat.storedMessages(id)).at(-1)?.content;
      // A row that has just come in is measured before it shows.
      await expect.poll(() => chat.newestAnswer.locator('p').first().innerText()).toBe(stored);
    });
  }
});
