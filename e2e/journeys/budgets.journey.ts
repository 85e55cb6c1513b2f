import type { AdminModel } from '@tanya/contract';
import { expectAccessible } from '../accessibility.js';
import { expect, test } from '../journey.js';
import { visit } from '../pages.js';

// The browser logs each refused call.
test.use({ installation: 'budgets', provider: 'upstream', expectedErrors: [/status of 40[03]/] });

test('an administrator limits costs in USD, and the member reads why a send is refused', async ({
  administrator,
  chat,
  member,
  other,
  page,
  product,
}) => {
  const models = (await (await administrator.get('/api/admin/models')).json()) as AdminModel[];
  const pricing = { prompt: '0', completion: '0', request: '0.01' };
  for (const { id } of models) await administrator.patch(`/api/admin/models/${id}`, { data: { pricing } });

  await chat.signIn(product.admin);
  await page.goto('/admin/settings#budgets');
  await page.getByLabel('Each free member (USD)').fill('1,50');
  await page.getByLabel('Whole installation (USD)').fill('100');
  await page.getByLabel('This budget starts again').selectOption('weekly');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please enter an amount such as 12.50.')).toBeVisible();
  await page.getByLabel('Each free member (USD)').fill('1.50');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/Spent \S+ of \$100\.00; running answers hold \$0\.00\./)).toBeVisible();
  await expectAccessible(page, 'budgets of the settings');
  await page.reload();
  await expect(page.getByLabel('Each free member (USD)')).toHaveValue('1.5');
  await expect(page.getByLabel('This budget starts again')).toHaveValue('weekly');

  await visit(page, '/admin/users');
  const row = page.getByRole('row').filter({ hasText: member.username });
  await row.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/Spent \$0\.00 of \$1\.50/)).toBeVisible();
  await dialog.getByLabel('Budget (USD)').fill('0.01');
  await dialog.getByLabel('The budget starts again').selectOption('daily');
  await expectAccessible(page, 'budget of a user');
  await dialog.getByRole('button', { name: 'Update User' }).click();
  await expect(dialog).toBeHidden();

  await other.chat.signIn(member);
  await other.chat.open();
  await other.chat.send('The only affordable question [[words=3]]');
  await other.chat.answerEnds();
  await other.chat.send('One too many');
  const refused = other.chat.ownMessages.last();
  await expect(
    refused.getByText('Your budget is spent. Please wait for its next period or ask an administrator.'),
  ).toBeVisible();
  await expectAccessible(other.page, 'spent budget');
});
