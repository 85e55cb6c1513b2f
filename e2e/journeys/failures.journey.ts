import { expectAccessible } from '../accessibility.js';
import { expect, test } from '../journey.js';

test.use({ provider: 'upstream', permissions: ['clipboard-read', 'clipboard-write'] });

test('a member copies the id of a failed answer, and an administrator finds its cause with the keyboard and on a phone', async ({
  chat,
  member,
  other,
  page,
  product,
  upstream,
}) => {
  const message = `The region ${'of-a-very-long-name-'.repeat(20)} does not offer this model.`;
  const refusal = { status: 400, body: JSON.stringify({ error: { message, type: 'invalid_region' } }) };
  // A refused request with tools is tried again without them.
  upstream.script(refusal, refusal);
  await chat.signIn(member);
  await chat.open();
  await chat.send('A question for a region');
  const failed = chat.newestAnswer;
  await expect(failed).toContainText('The model provider refused this request.');
  await expect(failed).not.toContainText('does not offer');
  await failed.getByRole('button', { name: 'Copy id' }).click();
  await expect(failed.getByRole('button', { name: 'Copied!' }).first()).toBeVisible();
  const id = await page.evaluate(() => navigator.clipboard.readText());

  const admin = other.page;
  await other.chat.signIn(product.admin);
  await other.chat.open();
  await admin.getByRole('navigation').getByRole('button', { name: 'More', exact: true }).click();
  await admin.getByRole('navigation').getByRole('link', { name: 'Failures' }).click();
  await expect(admin.getByRole('heading', { name: 'Failures', level: 1 })).toBeVisible();
  await admin.getByRole('searchbox', { name: 'Id of an answer or a request' }).focus();
  await admin.keyboard.insertText(id);
  const failures = admin.getByRole('list', { name: 'Failed answers and requests' }).getByRole('listitem');
  await expect(failures).toHaveCount(1);
  await expect(failures).toContainText('provider_refused · 400');
  await expect(failures).toContainText(message);
  await expect(failures).toContainText('type: invalid_region');
  await expect(failures).toContainText(id);
  await expectAccessible(admin, 'failures');
  await failures.getByRole('button', { name: member.username }).focus();
  await admin.keyboard.press('Enter');
  await expect(admin).toHaveURL(/[?]userId=/);
  await expect(failures).toHaveCount(1);
  await admin.reload();
  await expect(failures).toHaveCount(1);

  await admin.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(admin, 'failures on a phone');
  const overflow = await admin.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
