import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { startUpstream, type ScriptedUpstream } from '../backend/test/scripted-upstream.js';
import { ChatScreen } from './chat-screen.js';
import { Product } from './product.js';

interface Options {
  /** Who answers: the built-in demo, or the scripted upstream, whose words a test chooses. */
  provider: 'demo' | 'upstream';
  /** Console errors that the journey provokes on purpose. */
  expectedErrors: RegExp[];
}

interface Fixtures {
  upstream: ScriptedUpstream;
  product: Product;
  chat: ChatScreen;
  /** Somebody else at another computer, who comes to the same product. */
  other: { page: Page; chat: ChatScreen };
  /** Watches a browser for errors; those of the journey's own are watched in any case. */
  watch: (context: BrowserContext) => void;
}

/** The browser itself reports answers such as 401 as console errors; asking who is signed in is no fault. */
const browsersOwn = /Failed to load resource: the server responded with a status of 401/;

/** A test over a product of its own, that fails on any error in the browser's console. */
export const test = base.extend<Options & Fixtures>({
  provider: ['demo', { option: true }],
  expectedErrors: [[], { option: true }],

  upstream: async ({}, use) => {
    const upstream = await startUpstream({ pace: 5 });
    await use(upstream);
    await upstream.close();
  },

  product: async ({ provider, upstream }, use) => {
    const scripted = { OPENAI_BASE_URL: upstream.url, OPENROUTER_BASE_URL: upstream.url };
    const product = await Product.start(provider === 'upstream' ? scripted : {});
    await use(product);
    await product.stop();
  },

  baseURL: async ({ product }, use) => use(product.url),

  chat: async ({ page }, use) => use(new ChatScreen(page)),

  other: async ({ browser, product, watch }, use) => {
    const context = await browser.newContext({ baseURL: product.url });
    watch(context);
    const page = await context.newPage();
    await use({ page, chat: new ChatScreen(page) });
    await context.close();
  },

  watch: [
    async ({ context, product, expectedErrors }, use) => {
      const errors: string[] = [];
      const report = (text: string): void => {
        if (![browsersOwn, ...expectedErrors].some((expected) => expected.test(text))) errors.push(text);
      };
      const watch = (watched: BrowserContext): void => {
        watched.on('console', (message) => {
          if (message.type() === 'error') report(message.text());
        });
        watched.on('weberror', (error) => report(error.error().message));
        // Everything that a page needs comes from the product itself.
        watched.on('request', (request) => {
          const isLocal = request.url().startsWith(product.url) || /^(data|blob):/.test(request.url());
          if (!isLocal) report(`A request left the product: ${request.url()}`);
        });
      };
      watch(context);
      await use(watch);
      expect(errors, 'errors in the console, and requests to others').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect, type Page };
