import { TEXTS } from '@tanya/contract';
import { Random, SEED } from '../../backend/test/faults/random.js';
import { openThreadId } from '../chat-screen.js';
import { expect, test } from '../journey.js';

/** `RELOADS=50 node scripts/test.mjs e2e reload` sets it. */
const reloads = Number(process.env.RELOADS ?? 10);
/** Shortest time of an answer, ms: 60 words, at least 25 ms apart. */
const answerMs = 1_500;

test.use({ provider: 'upstream' });
test.setTimeout(60_000 + reloads * 60_000);

test(`${reloads} answers survive a reload at a random moment (seed ${SEED})`, async ({ chat, member, page }) => {
  const random = new Random(SEED);
  await chat.signIn(member);
  await chat.open();
  for (let round = 1; round <= reloads; round += 1) {
    await test.step(`round ${round}`, async () => {
      await page.getByRole('button', { name: TEXTS.sidebar.newChat, exact: true }).click();
      await page.waitForURL('/');
      await chat.send(`Round ${round} [[words=60 pace=25]]`);
      const id = await openThreadId(page);
      await page.waitForTimeout(random.between(0, answerMs));
      await page.reload();
      await expect(chat.newestAnswer).toContainText('word60');
      await chat.answerEnds();
      const stored = (await chat.storedMessages(id)).at(-1)?.content;
      // A new row is measured before it becomes visible.
      await expect.poll(() => chat.newestAnswer.locator('p').first().innerText()).toBe(stored);
    });
  }
});
