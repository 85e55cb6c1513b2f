import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Response } from '@playwright/test';
import { expect, test } from '../journey.js';

const budget = JSON.parse(readFileSync(new URL('../../budget.json', import.meta.url), 'utf8')) as {
  firstJavaScriptGzipBytes: number;
};

test('home fetches little before it can be used, and gets it compressed', async ({ page, chat }) => {
  const scripts: Response[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response);
  });
  // What waits for an idle moment keeps nobody waiting, so it never comes here and does not count.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  const connected = page.waitForEvent('websocket');
  await chat.open();
  await connected;
  await page.waitForLoadState('networkidle');

  const bodies = await Promise.all(scripts.map((script) => script.body()));
  const gzipped = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  expect(gzipped).toBeGreaterThan(0);
  expect(gzipped).toBeLessThanOrEqual(budget.firstJavaScriptGzipBytes);
  for (const [index, script] of scripts.entries()) {
    const isLarge = (bodies[index]?.length ?? 0) > 1_000;
    if (isLarge) expect(script.headers()['content-encoding'], script.url()).toMatch(/^(br|gzip)$/);
  }
});
