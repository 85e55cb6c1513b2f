import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../build-steps.mjs';

/**
 * `npm test` fails when no file uses a text that the specification quotes (`TEXTS`, `ADMIN_TEXTS`), or when a text of the page is
 * unused or lacks a translation.
 */
const PARTS = ['start', 'more', 'admin', 'starters'];

/** Words that occur in the Indonesian texts of `spec`; `en` must have another text for these. */
const INDONESIAN = /\b(anda|yang|untuk|silakan|gagal|berhasil|terlalu|belum|selamat|ke|asisten)\b/i;

/** @returns a sentence for each finding */
export async function checkTexts() {
  const catalogues = await readCatalogues();
  return [
    ...(await unusedQuotes()),
    ...missingTranslations(catalogues),
    ...(await missingStarters(catalogues.id)),
    ...unusedKeys(catalogues.spec),
  ];
}

/** The built-in ideas are keyed by their index; `spec` and `en` show those of the server. */
async function missingStarters(id) {
  const { STARTERS } = await load('contract/src/index.ts');
  return STARTERS.flatMap((idea, index) =>
    id.has(`starters.${index}`) ? [] : [`frontend/src/texts/id/starters.ts has no text ${index}: ${idea}`],
  );
}

/** Imports a TypeScript file. */
async function load(path) {
  const resolve = { conditions: ['@tanya/source', 'node', 'import'], noExternal: ['@tanya/contract'] };
  const options = { configFile: false, root, environments: { inline: { resolve } } };
  return (await runnerImport(join(root, path), options)).module;
}

/** The texts of each language by key. */
async function readCatalogues() {
  const read = async (language) => {
    const parts = language === 'en' ? PARTS.filter((part) => part !== 'starters') : PARTS;
    const texts = await Promise.all(
      parts.map(async (part) => {
        return leaves((await load(`frontend/src/texts/${language}/${part}.ts`)).default);
      }),
    );
    return new Map(texts.flat());
  };
  const [spec, en, id] = [await read('spec'), await read('en'), await read('id')];
  return { spec, en, id };
}

/** A text that the code does not read by `t` yet needs no translation: it is shown as `spec` has it. */
function missingTranslations({ spec, en, id }) {
  const used = usedKeys();
  return [...spec].flatMap(([key, text]) => {
    if (!used(key)) return [];
    const problems = [];
    if (!id.has(key)) problems.push(`${key} has no Indonesian text in frontend/src/texts/id`);
    if (INDONESIAN.test(text) && !en.has(key)) problems.push(`${key} has no English text in frontend/src/texts/en`);
    const differing = [en, id].filter((texts) => texts.has(key) && names(texts.get(key)) !== names(text));
    if (differing.length > 0) problems.push(`the translations of ${key} have other placeholders than spec`);
    return problems;
  });
}

function unusedKeys(spec) {
  const used = usedKeys();
  const sources = pageSources();
  const direct = (key) => sources.some(({ code }) => uses(code, key));
  return [...spec.keys()]
    .filter((key) => !used(key) && !direct(key))
    .map((key) => `the text ${key} is not used; remove it from frontend/src/texts`);
}

/** The placeholders of an ICU message, sorted. */
const names = (text) => [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name))].sort().join(' ');

/** Whether the page reads a key, as `'area.key'` or as `area.${…}` in a template. */
function usedKeys() {
  const code = pageSources()
    .map((source) => source.code)
    .join('\n');
  const literals = new Set([...code.matchAll(/'([\w-]+(?:\.[\w-]+)*)'/g)].map(([, key]) => key));
  const prefixes = [...code.matchAll(/`([a-zA-Z]+\.[\w.]*)\$\{/g)].map(([, prefix]) => prefix);
  return (key) => literals.has(key) || prefixes.some((prefix) => key.startsWith(prefix));
}

const pageSources = () =>
  filesIn(join(root, 'frontend/src')).filter(({ path }) => !path.startsWith('frontend/src/texts/'));

async function unusedQuotes() {
  const { ADMIN_TEXTS, TEXTS } = await load('contract/src/index.ts');
  const sources = ['frontend/src', 'backend/src'].flatMap((folder) => filesIn(join(root, folder)));
  return leaves({ ...TEXTS, ...ADMIN_TEXTS })
    .filter(([key]) => !sources.some(({ code }) => uses(code, key)))
    .map(([key]) => `TEXTS.${key} is not used`);
}

/** `[key, text]` of each text. A list counts as one text under its key. */
function leaves(value, path = []) {
  if (typeof value === 'string') return [[path.join('.'), value]];
  if (Array.isArray(value)) return [[path.join('.'), value.join(' · ')]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

/** Whether code reads a text by its key, as `TEXTS.area.key`, or destructures the area and uses the key. */
function uses(code, key) {
  const parts = key.split('.');
  const name = parts.at(-1);
  if (code.includes(`'${key}'`) || code.includes(`\`${parts[0]}.\${`)) return true;
  if (new RegExp(`TEXTS\\.${key.replaceAll('.', '\\.')}\\b`).test(code)) return true;
  const area = parts.slice(0, -1).join('.');
  const usesArea =
    new RegExp(`TEXTS\\.${area.replaceAll('.', '\\.')}\\b`).test(code) ||
    new RegExp(`\\{[^}]*\\b${area}\\b[^}]*\\} = TEXTS\\b`).test(code);
  return usesArea && new RegExp(`\\b${name}\\b`).test(code);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: relative(root, path), code: readFileSync(path, 'utf8') }));
}
