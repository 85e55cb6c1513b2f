import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Upper bounds of sizes. Times are measured by the bench. */
const { firstJavaScriptGzipBytes, chatJavaScriptGzipBytes } = JSON.parse(
  readFileSync(new URL('../../budget.json', import.meta.url), 'utf8'),
);

/** Chunks that the entry imports dynamically at once, because sending needs them. */
const FETCHED_AT_ONCE = /socket\.io-client/;

/** The catalogues of the first screen, of which a page loads one. */
const FIRST_CATALOGUE = /^src\/texts\/\w+\/start\.ts$/;

/** Paints the outlines of the page before the chunks have loaded. */
const FIRST_PAINT = 'first-paint.js';

/** The code that a chat waits for: the list of its messages, and Markdown. */
const CHAT = ['src/features/chat/conversation/conversation.tsx', 'src/features/markdown/rendered-markdown.tsx'];

/**
 * Sums the gzip sizes of the scripts that a guest's home page needs: the first paint, the entry, its static imports, the
 * socket client and the largest first catalogue, from Vite's manifest; and of those that a chat needs besides. Throws above
 * a budget. `first-visit.journey.ts` checks the first sum in a browser.
 */
export function checkBundleBudget(distFolder) {
  const manifest = JSON.parse(readFileSync(join(distFolder, '.vite/manifest.json'), 'utf8'));
  const names = Object.keys(manifest);
  const sizeOf = (file) => gzipSync(readFileSync(join(distFolder, file)), { level: 9 }).length;
  const size = (key) => sizeOf(manifest[key].file);
  const total = (keys) => keys.reduce((sum, key) => sum + size(key), 0);

  const first = withImports(
    manifest,
    names.filter((each) => manifest[each].isEntry || FETCHED_AT_ONCE.test(each)),
  );
  const catalogue = Math.max(...names.filter((key) => FIRST_CATALOGUE.test(key)).map(size));
  const chat = withImports(manifest, CHAT).filter((key) => !first.includes(key));
  return [
    report('First JavaScript', total(first) + catalogue + sizeOf(FIRST_PAINT), firstJavaScriptGzipBytes),
    report('JavaScript of a chat', total(chat), chatJavaScriptGzipBytes),
  ].join('\n');
}

/** Chunks with all that they import statically. */
function withImports(manifest, keys) {
  const chunks = new Set();
  const visit = (key) => {
    if (chunks.has(key)) return;
    chunks.add(key);
    manifest[key].imports?.forEach(visit);
  };
  keys.forEach(visit);
  return [...chunks];
}

function report(what, bytes, budget) {
  const line = `${what}: ${kilobytes(bytes)} of ${kilobytes(budget)} gzip`;
  if (bytes > budget) throw new Error(`${line}: over budget`);
  return line;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
