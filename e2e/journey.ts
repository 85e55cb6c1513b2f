import { randomUUID } from 'node:crypto';
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { ChatScreen, type Credentials } from './chat-screen.js';
import { type Installation, type InstallationOptions, Installations, SHARED } from './installations.js';

interface WorkerFixtures {
  installations: Installations;
}

interface Options extends InstallationOptions {
  /** Console errors that the journey provokes. */
  expectedErrors: RegExp[];
  /** Whether an idle page loads the code of all dialogs and routes. Otherwise the click that needs it does. */
  prefetches: boolean;
}

interface Fixtures extends Installation {
  /** The installation that the options name, for the fixtures that are its parts. */
  started: Installation;
  /** Unique credentials without an account. */
  newcomer: Credentials;
  /** Credentials of a new account. */
  member: Credentials;
  chat: ChatScreen;
  /** A second browser at the same server. */
  other: { page: Page; chat: ChatScreen };
  /** Prepares a browser and reports its console errors; the journey's own browser is always watched. */
  watch: (context: BrowserContext) => Promise<void>;
}

/** A test over the built product that fails on any error in the browser's console. */
export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  provider: ['demo', { option: true }],
  installation: [SHARED, { option: true }],
  sendsMail: [false, { option: true }],
  expectedErrors: [[], { option: true }],
  prefetches: [false, { option: true }],

  installations: [
    async ({ playwright }, use) => {
      const installations = new Installations(playwright.request);
      await use(installations);
      await installations.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  started: [
    async ({ installations, provider, installation, sendsMail }, use) =>
      use(await installations.get({ provider, installation, sendsMail })),
    { timeout: 180_000 },
  ],

  upstream: async ({ started: { upstream } }, use) => {
    await use(upstream);
    // The next test has the same upstream.
    upstream.dropScripts();
  },

  mail: async ({ started }, use) => use(started.mail),

  product: async ({ started }, use) => use(started.product),

  administrator: async ({ started }, use) => use(started.administrator),

  baseURL: async ({ product }, use) => use(product.url),

  newcomer: async ({}, use) => use({ username: `sari-${randomUUID().slice(0, 8)}`, password: 'a long password' }),

  member: async ({ administrator, newcomer }, use) => {
    expect((await administrator.post('/api/admin/users', { data: newcomer })).ok()).toBe(true);
    await use(newcomer);
  },

  page: async ({ page }, use) => {
    await use(page);
    // What the page still asks for goes to the server once nothing is faked, which does not know it.
    page.context().removeAllListeners('console');
    // A handler that still reads an answer would fail without its page.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },

  chat: async ({ page }, use) => use(new ChatScreen(page)),

  other: async ({ browser, product, watch }, use) => {
    const context = await browser.newContext({ baseURL: product.url });
    await watch(context);
    const page = await context.newPage();
    await use({ page, chat: new ChatScreen(page) });
    await context.close();
  },

  watch: [
    async ({ context, product, expectedErrors, prefetches }, use) => {
      const errors: string[] = [];
      const report = (text: string, address = ''): void => {
        if (!expectedErrors.some((expected) => expected.test(text))) errors.push(`${text} ${address}`.trim());
      };
      const watch = async (watched: BrowserContext): Promise<void> => {
        if (!prefetches) await watched.addInitScript(saveData);
        watched.on('console', (message) => {
          // A text that is not in the loaded catalogues is shown as its key, with a warning.
          const isError = message.type() === 'error' || message.text().startsWith('Uncompiled message');
          if (isError) report(message.text(), message.location().url);
        });
        watched.on('weberror', (error) => report(error.error().message));
        // A page loads nothing from other origins.
        watched.on('request', (request) => {
          const isLocal = request.url().startsWith(product.url) || /^(data|blob):/.test(request.url());
          if (!isLocal) report(`A request left the product: ${request.url()}`);
        });
      };
      await watch(context);
      await use(watch);
      expect(errors, 'errors in the console, and requests to others').toEqual([]);
    },
    { auto: true },
  ],
});

/** Runs in the page. A browser that saves data prefetches nothing. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

export { expect, type Page };
