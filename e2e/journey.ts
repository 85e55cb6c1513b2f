import { randomUUID } from 'node:crypto';
import { test as base, expect, type APIRequestContext, type BrowserContext, type Page } from '@playwright/test';
import { startUpstream, type ScriptedUpstream } from '../backend/test/harness/scripted-upstream.js';
import { ChatScreen, type Credentials } from './chat-screen.js';
import { preparedData } from './prepared-data.js';
import { Product } from './product.js';

interface WorkerOptions {
  /** The provider: the built-in demo, or the scripted upstream. */
  provider: 'demo' | 'upstream';
  /** Files with the same name may share a server. A file that changes global state needs a name of its own. */
  installation: string;
}

interface WorkerFixtures {
  upstream: ScriptedUpstream;
  product: Product;
  /** API client of the administrator, to prepare data. */
  administrator: APIRequestContext;
}

interface Options {
  /** Console errors that the journey provokes. */
  expectedErrors: RegExp[];
  /** Whether an idle page loads the code of all dialogs and routes. Otherwise the click that needs it does. */
  prefetches: boolean;
}

interface Fixtures {
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
export const test = base.extend<Options & Fixtures, WorkerOptions & WorkerFixtures>({
  provider: ['demo', { option: true, scope: 'worker' }],
  installation: ['shared', { option: true, scope: 'worker' }],
  expectedErrors: [[], { option: true }],
  prefetches: [false, { option: true }],

  upstream: [
    async ({}, use) => {
      // The server asks for conversation ideas once a page is open, which must not take a journey's scripted answer.
      const noIdeas = { steps: [{ finish: 'stop' as const }, { done: true as const }] };
      const choose = (text: string) => (text.startsWith('Write 12 varied ideas') ? noIdeas : undefined);
      const upstream = await startUpstream({ pace: 5, choose });
      await use(upstream);
      await upstream.close();
    },
    { scope: 'worker' },
  ],

  product: [
    async ({ provider, upstream }, use) => {
      const scripted = { OPENAI_BASE_URL: upstream.url, OPENROUTER_BASE_URL: upstream.url };
      const product = await Product.start(preparedData(), provider === 'upstream' ? scripted : {});
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  administrator: [
    async ({ playwright, product }, use) => {
      const calls = await playwright.request.newContext({ baseURL: product.url });
      expect((await calls.post('/api/login', { data: product.admin })).ok()).toBe(true);
      await use(calls);
      await calls.dispose();
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ product }, use) => use(product.url),

  newcomer: async ({}, use) => use({ username: `sari-${randomUUID().slice(0, 8)}`, password: 'a long password' }),

  member: async ({ administrator, newcomer }, use) => {
    expect((await administrator.post('/api/admin/users', { data: newcomer })).ok()).toBe(true);
    await use(newcomer);
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
      const report = (text: string): void => {
        if (!expectedErrors.some((expected) => expected.test(text))) errors.push(text);
      };
      const watch = async (watched: BrowserContext): Promise<void> => {
        if (!prefetches) await watched.addInitScript(saveData);
        watched.on('console', (message) => {
          if (message.type() === 'error') report(message.text());
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
