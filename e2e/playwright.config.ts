import { defineConfig } from '@playwright/test';

const quiet = ['--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Journeys over the built product in a real Chromium; `node scripts/test.mjs e2e` finds the browser and runs them. */
export default defineConfig({
  testDir: './journeys',
  testMatch: '*.journey.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  // A shared machine may stall a browser for seconds: a journey that fails once and then passes is named, not counted.
  retries: process.env.CI ? 1 : 0,
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox', ...quiet] },
  },
});
