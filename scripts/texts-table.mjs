import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './build-steps.mjs';

/**
 * docs/texts.md: every sentence of `contract/src/texts.ts` and the file that shows it. `npm test` compares it with the
 * code, so a sentence that nothing shows any more fails there; `node scripts/texts-table.mjs` writes it anew.
 */
const target = join(root, 'docs/texts.md');

/** @returns what is wrong with docs/texts.md, in sentences */
export async function checkTexts() {
  const { table, unshown } = await makeTable();
  const problems = unshown.map((key) => `Nothing shows TEXTS.${key}`);
  if (readFileSync(target, 'utf8') !== table)
    problems.push('docs/texts.md is not up to date: node scripts/texts-table.mjs');
  return problems;
}

async function makeTable() {
  const { TEXTS } = await import(join(root, 'contract/dist/index.js'));
  const sources = ['frontend/src', 'backend/src'].flatMap((folder) => filesIn(join(root, folder)));
  const unshown = [];
  const rows = leaves(TEXTS).map(([key, text]) => {
    const shownBy = sources.filter(({ code }) => shows(code, key)).map(({ path }) => `\`${path}\``);
    if (shownBy.length === 0) unshown.push(key);
    return `| ${text.replaceAll('|', '\\|')} | \`${key}\` | ${shownBy.slice(0, 3).join('<br>')} |`;
  });
  const head = ['# Texts', '', 'Made by `node scripts/texts-table.mjs` and checked by `npm test`.', ''];
  const table = [...head, '| text | key | shown by |', '| --- | --- | --- |', ...rows, ''].join('\n');
  return { table, unshown };
}

/** Lists count as one text, under the list's key. */
function leaves(value, path = []) {
  if (typeof value === 'string') return [[path.join('.'), value]];
  if (Array.isArray(value)) return [[path.join('.'), value.join(' · ')]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

/** `TEXTS.area.key`, or a file that takes the area and names the key. */
function shows(code, key) {
  const parts = key.split('.');
  const name = parts.at(-1);
  if (new RegExp(`TEXTS\\.${key.replaceAll('.', '\\.')}\\b`).test(code)) return true;
  const area = parts.slice(0, -1).join('.');
  const takesArea =
    new RegExp(`TEXTS\\.${area.replaceAll('.', '\\.')}\\b`).test(code) ||
    new RegExp(`\\{[^}]*\\b${area}\\b[^}]*\\} = TEXTS\\b`).test(code);
  return takesArea && new RegExp(`\\b${name}\\b`).test(code);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: relative(root, path), code: readFileSync(path, 'utf8') }));
}

if (process.argv[1] === import.meta.filename) {
  const { table, unshown } = await makeTable();
  writeFileSync(target, table);
  for (const key of unshown) console.error(`Nothing shows TEXTS.${key}`);
}
