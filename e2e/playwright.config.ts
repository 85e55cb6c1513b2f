import { defineConfig } from '@playwright/test';

const quiet = ['--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** A page lives for seconds: V8 does not optimize its code, and begins with space for its objects. A tenth of the CPU time. */
const SHORT_LIVED = '--js-flags=--no-opt,--no-maglev,--min-semi-space-size=16';

/** A microphone that beeps, allowed without a question. */
const FAKE_MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** Journeys over the built product in a real Chromium; `node scripts/test.mjs e2e` finds the browser and runs them. */
export default defineConfig({
  testDir: './journeys',
  testMatch: '*.journey.ts',
  globalSetup: './prepared-data.ts',
  outputDir: '../test-results',
  // The journeys of a file share a worker, because each worker starts a browser and a server.
  fullyParallel: false,
  // A journey waits for a part of its time, so three workers fill two cores.
  workers: 3,
  // A journey takes a few seconds; the bounds allow for stalls of a shared machine.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  // A failure fails a local run. CI retries once and lists a journey that then passes as flaky, by name.
  retries: process.env.CI ? 1 : 0,
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    // Tracing doubles the work of the browser; `--trace on` enables it.
    trace: 'off',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: ['--no-sandbox', ...quiet, ...FAKE_MICROPHONE, SHORT_LIVED],
    },
  },
});
