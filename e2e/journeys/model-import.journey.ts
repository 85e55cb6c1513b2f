import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../journey.js';

test.use({ installation: 'of imported models' });
test.describe.configure({ mode: 'default' });

const IDS = Array.from({ length: 40 }, (_, index) => `house/model-${String(index + 1).padStart(2, '0')}`);

let server: Server;
let address: string;

test.beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: IDS.map((id) => ({ id, object: 'model' })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

test.afterAll(() => server.close());

test('an administrator imports 40 models from an OpenAI-compatible server', async ({ chat, page, product }) => {
  await chat.signIn(product.admin);
  await page.goto('/admin/connections');
  await page.getByRole('button', { name: 'Add connection' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add connection' });
  await dialog.getByLabel('Name').fill('House');
  await dialog.getByLabel('Base URL').fill(address);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByText(/lists 40 models/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Add connection' }).click();
  await expect(dialog).toBeHidden();

  await page.goto('/admin');
  await page.getByRole('tab', { name: 'Import Models' }).click();
  await page.getByLabel('Connection', { exact: true }).selectOption({ label: 'House' });
  await page.getByLabel('Search the catalogue').fill('model-0');
  await expect(page.getByText('Choose all 9')).toBeVisible();
  await page.getByLabel('Search the catalogue').fill('');
  await page.getByText('Choose all 40').click();
  await page.getByText('Import as disabled').click();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Import 40 models' }).click();
  await expect(page.getByText('40 models imported')).toBeVisible();

  await page.setViewportSize({ width: 1280, height: 844 });
  await page.getByRole('tab', { name: 'Models', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'house/model-01' });
  await expect(row.getByText('Disabled', { exact: true })).toBeVisible();
});
