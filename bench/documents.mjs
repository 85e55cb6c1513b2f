/**
 * Measures the readers of documents on real files: `node bench/documents.mjs FOLDER [REFERENCES] [EXTENSION,…]`. FOLDER is
 * read with its folders, in the order of their paths. REFERENCES has a text `PATH.txt` for a document `PATH`, as
 * `document-references.mjs` writes them; without it, only time, memory and failures are listed. Prints, by extension, in
 * how many files 98 % of the words of the reference are found; and each file that falls short, ends its process, or takes
 * more than its bounds, with what its user is told and the first words that are missing. Pages of PDFs that models get as
 * pictures are left out of the reference, as are the errors of formulas that LibreOffice calculates in its own way.
 *
 * Each document has a process of its own, as on the server.
 */
import { fork } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LEAST_WORDS = 5;
const LEAST_SHARE = 0.98;
const TIMEOUT_MS = 30_000;

/** Of one document; starting the process included. */
const MAX_CPU_MS = 3_000;
const MAX_MEGABYTES = 400;

/** Errors that LibreOffice shows where it calculates a formula again that Excel has a value for. */
const CALCULATED = /Err:\d+|#(?:VALUE!|NAME\?|MACRO\?)/g;

/** Numbers with more digits than LibreOffice shows of one in the general format, of which all are read. */
const LONG_NUMBER = /\d*\.\d{9,}(?:e[+-]\d+)?/gi;
const SHOWN_DIGITS = 9;

const compiled = new URL('../backend/dist/', import.meta.url);

/** Reads one document as the server does, in this process in place of its sandbox. */
async function serve() {
  const load = (path) => import(new URL(path, compiled));
  const [{ readDocument }, { inspectFile }, { documentText }, { noticeSentence }, { AppError }] = await Promise.all(
    [
      'files/formats/read-document.js',
      'files/inspection/file-inspection.js',
      'files/extract/document-text.js',
      'files/document-reader.js',
      'platform/errors/app-error.js',
    ].map(load),
  );
  const extractor = { read: ({ path, format, extension }) => readDocument(readFileSync(path), format, extension) };
  const read = async (path) => {
    try {
      const file = await inspectFile(path, { name: basename(path), type: '' });
      const { sections, notices, textless } = await documentText(path, file, extractor);
      const text = sections.map(({ label, text: own }) => `${label}\n${own}`).join('\n');
      return { text, textless, said: noticeSentence(notices) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { text: '', textless: [], said: `refused: ${error.message}` };
    }
  };
  process.once('message', async (path) => {
    const result = await read(path);
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const measured = { cpuMs: (userCPUTime + systemCPUTime) / 1_000, megabytes: maxRSS / 1_024 };
    process.send({ ...result, ...measured }, () => process.disconnect());
  });
}

async function main([folder, references, only]) {
  if (!folder) throw new Error('Usage: node bench/documents.mjs FOLDER [REFERENCES] [EXTENSION,…]');
  const formats = new Map();
  // The next process starts while a document is read.
  let next = start();
  for (const path of readdirSync(folder, { recursive: true }).map(String).sort()) {
    const extension = extname(path).slice(1).toLowerCase();
    if ((only && !only.split(',').includes(extension)) || !statSync(join(folder, path)).isFile()) continue;
    const reference = references ? textAt(join(references, `${path}.txt`)) : '';
    if (references && words(reference).length < LEAST_WORDS) continue;
    const child = next;
    next = start();
    const result = await ask(child, join(folder, path));
    const expected = words(withoutPages(reference, result.textless).replace(CALCULATED, ''));
    const missing = missingWords(expected, result.text);
    const share = expected.length > 0 ? 1 - missing.length / expected.length : 1;
    const row = formats.get(extension) ?? { files: 0, whole: 0, cpuMs: 0, megabytes: 0 };
    formats.set(extension, row);
    row.files += 1;
    row.cpuMs = Math.max(row.cpuMs, result.cpuMs);
    row.megabytes = Math.max(row.megabytes, result.megabytes);
    if (share >= LEAST_SHARE) row.whole += 1;
    const isHeavy = result.ended || result.cpuMs > MAX_CPU_MS || result.megabytes > MAX_MEGABYTES;
    if (share < LEAST_SHARE || isHeavy) printFile(path, share, missing, result);
  }
  next.kill();
  for (const [extension, { files, whole, cpuMs, megabytes }] of formats) {
    const most = `at most ${Math.round(cpuMs)} ms of CPU, ${Math.round(megabytes)} MB`;
    console.log(`${extension}: ${whole} of ${files} files (${((100 * whole) / files).toFixed(1)} %), ${most}`);
  }
}

function printFile(path, share, missing, { ended, said, cpuMs, megabytes }) {
  const took = `${Math.round(cpuMs)} ms, ${Math.round(megabytes)} MB`;
  console.log(`${share.toFixed(3)}  ${path}  ${took}  ${ended ?? said ?? ''}`);
  if (missing.length > 0) console.log(`  missing: ${missing.slice(0, 12).join(' ')}`);
}

const start = () => fork(fileURLToPath(import.meta.url), { serialization: 'advanced' });

function ask(child, path) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    const settle = (result) => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(result);
    };
    child.once('message', settle);
    child.once('exit', (code, signal) =>
      settle({ ended: `ended with ${signal ?? code}`, text: '', textless: [], cpuMs: 0, megabytes: 0 }),
    );
    child.send(path);
  });
}

const textAt = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** @param pages from 1; `pdftotext` ends each with a form feed */
const withoutPages = (text, pages) =>
  pages.length === 0
    ? text
    : text
        .split('\f')
        .filter((_, index) => !pages.includes(index + 1))
        .join('\n');

function words(text) {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(LONG_NUMBER, (number) => String(Number(Number(number).toPrecision(SHOWN_DIGITS))))
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The words that a text does not have, inside of longer words either: references break words elsewhere. */
function missingWords(expected, text) {
  const all = words(text);
  const known = new Set(all);
  const flat = all.join('');
  const missing = new Set([...new Set(expected)].filter((word) => !known.has(word) && !flat.includes(word)));
  return expected.filter((word) => missing.has(word));
}

if (process.send) await serve();
else await main(process.argv.slice(2));
