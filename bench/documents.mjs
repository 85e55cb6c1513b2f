/**
 * Compares the text of documents with a reference: `node bench/documents.mjs FOLDER [REFERENCES]`. FOLDER is read with its
 * folders. REFERENCES has a file `PATH.txt` for a document `PATH.ext`, such as `soffice --convert-to txt` or `pdftotext`
 * writes them; without it, only time, memory and failures are listed. Prints, by format, in how many files 98 % of the
 * words of the reference are found, and each file that falls short.
 */
import { fork } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LEAST_WORDS = 5;
const LEAST_SHARE = 0.98;
const TIMEOUT_MS = 30_000;

const compiled = new URL('../backend/dist/files/', import.meta.url);

/** One process reads file after file; a new one replaces it when it ends. */
async function serve() {
  const { readDocument } = await import(new URL('formats/read-document.js', compiled));
  const { inspectFile } = await import(new URL('inspection/file-inspection.js', compiled));
  process.on('message', async (path) => {
    const before = process.cpuUsage();
    const result = await read(path).catch((error) => ({ refused: error.code ?? String(error) }));
    const { user, system } = process.cpuUsage(before);
    process.send({ ...result, cpuMs: (user + system) / 1000, megabytes: process.memoryUsage().rss / 1024 ** 2 });
  });
  async function read(path) {
    const file = await inspectFile(path, { name: path, type: '' });
    if (file.kind.format === undefined) return { text: file.text ?? '' };
    const result = await readDocument(readFileSync(path), file.kind.format, extname(path).slice(1).toLowerCase());
    if ('problem' in result) return { problem: result.problem, text: '' };
    return {
      text: result.sections.map(({ label, text }) => `${label}\n${text}`).join('\n'),
      textless: result.textless?.length,
    };
  }
}

async function main([folder, references]) {
  if (!folder) throw new Error('Usage: node bench/documents.mjs FOLDER [REFERENCES]');
  const formats = new Map();
  const short = [];
  let child = start();
  for (const path of readdirSync(folder, { recursive: true }).map(String).sort()) {
    const extension = extname(path).slice(1).toLowerCase();
    const reference = references && join(references, `${path.slice(0, -extension.length - 1)}.txt`);
    if (references ? !existsSync(reference) : extension === '') continue;
    const expected = references ? words(readFileSync(reference, 'utf8')) : [];
    if (references && expected.length < LEAST_WORDS) continue;
    const result = await ask(child, join(folder, path));
    if (result.ended) child = start();
    const row = formats.get(extension) ?? { files: 0, whole: 0, cpuMs: 0, megabytes: 0 };
    formats.set(extension, row);
    const share = references ? found(expected, result.text ?? '') : 1;
    row.files += 1;
    row.cpuMs = Math.max(row.cpuMs, result.cpuMs ?? 0);
    row.megabytes = Math.max(row.megabytes, result.megabytes ?? 0);
    if (share >= LEAST_SHARE) row.whole += 1;
    if (share < LEAST_SHARE || result.ended || (result.cpuMs ?? 0) > 3000)
      short.push({ path, share, expected, result });
  }
  child.kill();
  for (const { path, share, expected, result } of short) {
    const missing = expected.filter((word) => found([word], result.text ?? '') === 0).slice(0, 8);
    const why = result.ended ?? result.refused ?? result.problem ?? `${Math.round(result.cpuMs)} ms`;
    console.log(`${share.toFixed(2)} of ${expected.length} words  ${path}  ${why}  ${missing.join(' ')}`);
  }
  for (const [extension, { files, whole, cpuMs, megabytes }] of formats) {
    const most = `at most ${Math.round(cpuMs)} ms of CPU, ${Math.round(megabytes)} MB`;
    console.log(`${extension}: ${whole} of ${files} files (${((100 * whole) / files).toFixed(1)} %), ${most}`);
  }
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
    child.once('exit', (code, signal) => settle({ ended: `ended with ${signal ?? code}`, text: '' }));
    child.send(path);
  });
}

function words(text) {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The share of words that a text has, inside of longer words too: references break words elsewhere. */
function found(expected, text) {
  const all = words(text);
  const known = new Set(all);
  const flat = all.join('');
  return expected.filter((word) => known.has(word) || flat.includes(word)).length / Math.max(1, expected.length);
}

if (process.send) await serve();
else await main(process.argv.slice(2));
