import { test as base, expect, type Page } from '@playwright/test';
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
  noErrors: void;
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
    const product = await Product.start(provider === 'upstream' ? { OPENAI_BASE_URL: upstream.url } : {});
    await use(product);
    await product.stop();
  },

  baseURL: async ({ product }, use) => use(product.url),

  chat: async ({ page }, use) => use(new ChatScreen(page)),

  noErrors: [
    async ({ context, expectedErrors }, use) => {
      const errors: string[] = [];
      const report = (text: string): void => {
        if (![browsersOwn, ...expectedErrors].some((expected) => expected.test(text))) errors.push(text);
      };
      context.on('console', (message) => {
        if (message.type() === 'error') report(message.text());
      });
      context.on('weberror', (error) => report(error.error().message));
      await use();
      expect(errors, 'errors in the console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect, type Page };
