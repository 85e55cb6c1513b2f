import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../accessibility.js';
import { expect, test, type Page } from '../journey.js';

test.use({ provider: 'upstream', installation: 'usage' });
test.setTimeout(300_000);

const value = (page: Page, label: string) =>
  page.locator('dl > div').filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) });

async function expectFits(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBeLessThanOrEqual(0);
}

/** A chart, its table and the accessibility of both. */
async function expectChartAndTable(page: Page, title: string, width: number): Promise<void> {
  const panel = page.getByRole('region', { name: title, exact: true });
  await expect(panel.getByRole('img', { name: /^Chart\. / })).toBeVisible();
  await expect(panel.locator('.recharts-bar-rectangle path').first()).toBeVisible();
  await expectAccessible(page, `${title} as a chart at ${width} px`);
  await panel.getByRole('button', { name: 'Show as table' }).click();
  const table = panel.getByRole('table');
  await expect(table.getByRole('row').last()).toContainText('Total');
  await expectAccessible(page, `${title} as a table at ${width} px`);
  await expectFits(page, width);
  await panel.getByRole('button', { name: 'Show as chart' }).click();
}

test('a member and an administrator see what was used', async ({ chat, member, other, page, product }) => {
  await other.chat.signIn(member);
  await other.chat.open();
  for (const text of ['What is (12 + 30) * 2?', 'Write a haiku']) {
    await other.chat.send(text);
    await other.chat.answerEnds();
  }

  await other.page.getByRole('link', { name: 'My Usage' }).click();
  await expect(other.page.getByRole('heading', { name: 'My Usage', level: 1 })).toBeVisible();
  await expect(value(other.page, 'Messages')).toContainText('2');
  await expect(value(other.page, 'Messages')).toContainText('2 answers');
  for (const width of [1440, 390]) {
    await expectFits(other.page, width);
    await expectChartAndTable(other.page, 'By model', width);
  }
  await other.page.getByRole('button', { name: 'Custom' }).click();
  await other.page.getByLabel('From').fill('2020-01-01');
  await other.page.getByLabel('To', { exact: true }).fill('2020-01-31');
  await other.page.getByRole('button', { name: 'Show period' }).press('Enter');
  await expect(other.page.getByText('No usage in this period.')).toBeVisible();
  await expectAccessible(other.page, 'an empty period');
  await other.page.reload();
  await expect(other.page.getByText('No usage in this period.')).toBeVisible();

  await chat.signIn(product.admin);
  await chat.open();
  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Top people', exact: true })).toContainText(member.username);
  await expect(value(page, 'Messages')).toContainText('2 answers');
  await expect(value(page, 'Active people')).toContainText('1');
  const topOf = async (label: string) => (await page.getByLabel(label, { exact: true }).boundingBox())?.y;
  expect(await topOf('Connection'), 'the filters stand in one row').toBe(await topOf('Plan'));
  for (const width of [1440, 390]) {
    await expectFits(page, width);
    await expectChartAndTable(page, 'By plan', width);
  }

  await page.getByRole('button', { name: 'Today' }).press('Enter');
  await expect(page).toHaveURL(/period=today/);
  await expect(value(page, 'Messages')).toContainText('2 answers');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV file' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^usage-.*\.csv$/);
  const [head, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(head).toContain('day,username,owner,model');
  expect(rows.filter((row) => !row.includes(',site,')).every((row) => row.includes(`,${member.username},`))).toBe(true);
  expect(rows.join('\n')).toContain(`,${member.username},`);
});
