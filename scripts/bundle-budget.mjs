import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Exact figures that may not grow; times are measured by the bench instead. */
const { firstJavaScriptGzipBytes: budget } = JSON.parse(
  readFileSync(new URL('../budget.json', import.meta.url), 'utf8'),
);

/**
 * Adds up what a browser must fetch before it shows anything: the entry and all that it imports statically, from Vite's
 * manifest. Throws beyond the budget.
 */
export function checkBundleBudget(distFolder) {
  const manifest = JSON.parse(readFileSync(join(distFolder, '.vite/manifest.json'), 'utf8'));
  const chunks = new Set();
  const visit = (key) => {
    if (chunks.has(key)) return;
    chunks.add(key);
    manifest[key].imports?.forEach(visit);
  };
  for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) visit(key);

  const size = (key) => gzipSync(readFileSync(join(distFolder, manifest[key].file)), { level: 9 }).length;
  const total = [...chunks].reduce((sum, key) => sum + size(key), 0);
  const report = `First JavaScript: ${kilobytes(total)} of ${kilobytes(budget)} gzip, in ${chunks.size} file(s)`;
  if (total > budget) throw new Error(`${report}: over budget`);
  return report;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
