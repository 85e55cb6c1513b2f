import { register } from 'node:module';

/** `node --import ./scripts/testing/typescript.mjs file.ts` runs TypeScript without a build, for tools outside the product. */
register('./typescript-hooks.mjs', import.meta.url);
