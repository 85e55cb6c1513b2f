/**
 * Writes the text of documents as LibreOffice and Poppler read it, for `documents.mjs`:
 * `node bench/document-references.mjs FOLDER REFERENCES`. A document `PATH` gets `REFERENCES/PATH.txt`; none where these
 * programs fail or take longer than a minute. Of presentations, what is drawn but not stored is left out: numbers on the
 * axes of charts, and the day and time of the conversion. Texts that exist are kept. Needs `soffice` and `pdftotext`, of Debian's
 * packages libreoffice-writer-nogui, -calc-nogui, -impress-nogui and poppler-utils.
 */
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Documents of one start of LibreOffice, which takes longer than most of them. */
const BATCH = 20;
const TIMEOUT_MS = 60_000;

/** Sheets with a value in their last cell give files of gigabytes. */
const MAX_BYTES = 64 * 1024 ** 2;

/** How LibreOffice reads a container that it cannot open: as a table of its bytes. */
const BROKEN_CONTAINER = /^"?ÐÏ/;

/** Every sheet, as its cells are shown. */
const CSV = 'csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,true,false,false,-1';

/** The format that LibreOffice writes for an extension. */
const TARGETS = [
  [/^(?:docx?|docm|dotx?|dotm|rtf|odt|ott)$/, 'txt:Text (encoded):UTF8'],
  [/^(?:xlsx?|xlsm|xlsb|xltx?|ods|ots)$/, CSV],
  [/^(?:pptx?|pptm|ppsx?|potx?|odp|otp)$/, 'pdf'],
];

const extensionOf = (path) => extname(path).slice(1).toLowerCase();

const targetOf = (path) => TARGETS.find(([extensions]) => extensions.test(extensionOf(path)))?.[1];

async function main([folder, references]) {
  if (!references) throw new Error('Usage: node bench/document-references.mjs FOLDER REFERENCES');
  const referenceOf = (path) => join(references, `${path}.txt`);
  const paths = readdirSync(folder, { recursive: true }).map(String).sort();
  const missing = paths.filter((path) => !existsSync(referenceOf(path)));
  const write = (path, text) => {
    mkdirSync(dirname(referenceOf(path)), { recursive: true });
    writeFileSync(referenceOf(path), text);
  };
  for (const path of missing.filter((one) => extensionOf(one) === 'pdf')) {
    const text = await textOfPdf(join(folder, path)).catch(() => null);
    if (text !== null) write(path, text);
  }
  for (const batch of batches(missing.filter(targetOf))) {
    const texts = await convert(
      batch.map((path) => join(folder, path)),
      targetOf(batch[0]),
    );
    // One document may have ended LibreOffice for all of them.
    for (const [index, path] of batch.entries()) {
      const text = texts[index] ?? (await convert([join(folder, path)], targetOf(path)))[0];
      if (text !== null) write(path, targetOf(path) === 'pdf' ? await withoutDrawn(text, join(folder, path)) : text);
    }
  }
}

const textOfPdf = async (path) =>
  (await run('pdftotext', ['-q', path, '-'], { timeout: TIMEOUT_MS, maxBuffer: 1024 ** 3 })).stdout;

/** Documents of one folder and extension, so that no two outputs have the same name. */
function batches(paths) {
  const groups = {};
  for (const path of paths) (groups[`${dirname(path)} ${extname(path)}`] ??= []).push(path);
  return Object.values(groups).flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / BATCH) }, (_, at) => group.slice(at * BATCH, (at + 1) * BATCH)),
  );
}

/** The texts of documents; null for those that LibreOffice does not read. */
async function convert(paths, target) {
  const folder = mkdtempSync(join(tmpdir(), 'references-'));
  try {
    await runOffice(['--convert-to', target, '--outdir', folder, ...paths]);
    const written = readdirSync(folder);
    const names = paths.map((path) => basename(path, extname(path)));
    return await Promise.all(
      names.map(async (name) => {
        const own = written.filter(
          (file) =>
            isOutputOf(file, name) && !names.some((other) => isOutputOf(file, other) && other.length > name.length),
        );
        const texts = own.map((file) => join(folder, file));
        if (texts.length === 0 || texts.some((file) => statSync(file).size > MAX_BYTES)) return null;
        if (target === 'pdf') return textOfPdf(texts[0]).catch(() => null);
        const text = texts.map((file) => readFileSync(file, 'utf8')).join('\n');
        return BROKEN_CONTAINER.test(text) ? null : text;
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Fields with the day or the time of the conversion. */
const TODAY = /<text:(?:date|time)\b(?![^>]*\bfixed="true")[^>]*>([^<]+)</g;

const paragraphsOf = (xml) =>
  (xml.match(/<text:p\b[^>]*[^/]>.*?<\/text:p>/gs) ?? []).map((one) => one.replace(/<[^>]*>/g, '')).join('\n');

/** A presentation's text without what the presentation does not have. */
async function withoutDrawn(text, path) {
  const [xml] = await convert([path], 'fodp');
  if (xml === null) return text;
  const known = new Set(paragraphsOf(xml).match(/[\p{L}\p{N}]+/gu));
  const given = [...xml.matchAll(TODAY)].reduce((whole, [, shown]) => whole.replace(patternOf(shown), ''), text);
  return given.replace(/(?<![\p{L}\p{N}])\p{N}+(?![\p{L}\p{N}])/gu, (number) => (known.has(number) ? number : ''));
}

/** A day or a time, since which a minute may have passed. */
const patternOf = (shown) => new RegExp(shown.replace(/[^\p{L}\p{N}\s]/gu, '\\$&').replace(/\d+/g, '\\d+'));

/** Whether LibreOffice names an output so: `name.txt`, or `name-Sheet.csv` for a sheet. */
const isOutputOf = (file, name) => file.startsWith(`${name}.`) || file.startsWith(`${name}-`);

/** Ends after a time-out with its processes: `soffice` starts another one. */
function runOffice(options) {
  const profile = `-env:UserInstallation=file://${join(tmpdir(), 'references-profile')}`;
  const office = spawn('soffice', [profile, '--headless', ...options], { detached: true, stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => office.pid && process.kill(-office.pid, 'SIGKILL'), TIMEOUT_MS);
    office.once('error', reject);
    office.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

await main(process.argv.slice(2));
