import type { Retention } from '@tanya/contract';
import { openAccount } from '../pages.js';
import { expect, test } from '../journey.js';

test.use({ provider: 'upstream', installation: 'retention' });
test.describe.configure({ mode: 'default' });

for (const width of [390, 1440]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('an admin sees what rules would delete, and shortens the time', async ({
      administrator,
      chat,
      member,
      other,
      page,
      product,
    }) => {
      await chat.signIn(member);
      await administrator.put('/api/admin/retention', { data: { free: null } });
      await other.chat.signIn(product.admin);
      await other.page.goto('/admin/retention');
      const rules = other.page.getByRole('region', { name: 'Rules' });
      await rules.getByLabel('Free accounts, days').fill('0');
      await rules.getByRole('button', { name: 'Save rules' }).click();
      await expect(rules.getByText(/Enter a number of days from 1/)).toBeVisible();
      await rules.getByLabel('Free accounts, days').fill('30');
      await rules.getByRole('button', { name: 'Show what would be deleted' }).click();
      await expect(rules.getByRole('status')).toContainText(/would be deleted today/);
      await rules.getByRole('button', { name: 'Save rules' }).click();
      await expect(rules.getByRole('note')).toContainText('begin on');
      await chat.open();
      await expect(page.getByText(/chats without a message for 30 days are deleted/)).toBeVisible();
      const stored = (await (await administrator.get('/api/admin/retention')).json()) as Retention;
      expect(stored).toMatchObject({ free: 30, inForce: { free: null } });
    });
  });
}

test('a member takes everything along', async ({ chat, member, page }) => {
  await chat.signIn(member);
  await chat.open();
  await chat.send('Hello [[words=5]]');
  await chat.answerEnds();
  const account = await openAccount(page, 'Data');
  await account.getByRole('button', { name: 'Export as ZIP' }).click();
  await account.getByLabel('Enter your password to export everything.').fill(member.password);
  await account.getByRole('button', { name: 'Start export' }).click();
  const link = account.getByRole('link', { name: /Download archive/ });
  await expect(link).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^tanya-export-.*\.zip$/);
});
