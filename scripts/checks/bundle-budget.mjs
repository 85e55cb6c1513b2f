import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Upper bounds of sizes. Times are measured by the bench. */
const { firstJavaScriptGzipBytes: budget } = JSON.parse(
  readFileSync(new URL('../../budget.json', import.meta.url), 'utf8'),
);

/** Chunks that the entry imports dynamically at once, because sending needs them. */
const FETCHED_AT_ONCE = /socket\.io-client/;

/** The catalogues of the first screen, of which a page loads one. */
const FIRST_CATALOGUE = /^src\/texts\/\w+\/start\.ts$/;

/** Paints the outlines of the page before the chunks have loaded. */
const FIRST_PAINT = 'first-paint.js';

/**
 * Sums the gzip sizes of the scripts that a guest's home page needs: the first paint, the entry, its static imports, the
 * socket client and the largest first catalogue, from Vite's manifest. Throws above the budget. `first-visit.journey.ts` checks the same in a browser.
 */
export function checkBundleBudget(distFolder) {
  const manifest = JSON.parse(readFileSync(join(distFolder, '.vite/manifest.json'), 'utf8'));
  const chunks = new Set();
  const visit = (key) => {
    if (chunks.has(key)) return;
    chunks.add(key);
    manifest[key].imports?.forEach(visit);
  };
  const names = Object.keys(manifest);
  for (const key of names.filter((each) => manifest[each].isEntry || FETCHED_AT_ONCE.test(each))) visit(key);

  const sizeOf = (file) => gzipSync(readFileSync(join(distFolder, file)), { level: 9 }).length;
  const size = (key) => sizeOf(manifest[key].file);
  const catalogue = Math.max(...names.filter((key) => FIRST_CATALOGUE.test(key)).map(size));
  const total = [...chunks].reduce((sum, key) => sum + size(key), catalogue + sizeOf(FIRST_PAINT));
  const report = `First JavaScript: ${kilobytes(total)} of ${kilobytes(budget)} gzip, in ${chunks.size + 2} files`;
  if (total > budget) throw new Error(`${report}: over budget`);
  return report;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
