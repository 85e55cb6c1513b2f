import { defineConfig } from '@playwright/test';

const quiet = ['--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Journeys over the built product in a real Chromium; `node scripts/test.mjs e2e` finds the browser and runs them. */
export default defineConfig({
  testDir: './journeys',
  testMatch: '*.journey.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  // Wide, because a machine that is shared may stall a browser for seconds; a journey alone takes a few.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  // A journey that fails once and then passes is named as flaky, and holds nobody's work back.
  retries: process.env.CI ? 1 : 0,
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    // Recording every step doubles the work of the browser: `--trace on` does it by hand.
    trace: 'off',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox', ...quiet] },
  },
});
