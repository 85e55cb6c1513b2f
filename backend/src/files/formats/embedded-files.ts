import type { DocumentFormat } from '../inspection/file-kind.js';
import { type EmbeddedFile, MAX_EMBEDDED, MAX_LABEL, SectionCollector } from './sections.js';

/** Documents inside of one another. */
const MAX_NESTING = 3;

/** Memory that the reading has taken, from which no further one is begun. The process starts with 100 of its 704 MB. */
const MAX_TAKEN_BYTES = 256 * 1024 * 1024;

/** Time after which no further one is begun: the text of the outer document must not be lost to the time-out. */
const MAX_TIME_MS = 10_000;

const SIGNATURES: readonly [start: string, DocumentFormat][] = [
  ['%PDF-', 'pdf'],
  ['PK\x03\x04', 'zip'],
  ['\xd0\xcf\x11\xe0', 'ole'],
  ['{\\rtf', 'rtf'],
  ['Rar!', 'rar'],
  ['\x78\x9f\x3e\x22', 'tnef'],
  ['\x1f\x8b', 'gzip'],
];

/** Formats without a signature, by the extension of the file's name. */
const NAMED: readonly [RegExp, DocumentFormat][] = [
  [/\.(?:txt|csv|tsv|md|log|jsonl?|xml|ics|vcf|srt|vtt|ya?ml)$/i, 'text'],
  [/\.x?html?$/i, 'html'],
  [/\.(?:eml|mht(?:ml)?)$/i, 'mail'],
  [/\.p7m$/i, 'smime'],
  [/\.ipynb$/i, 'notebook'],
];

/**
 * Reads a document in a format into sections.
 * @returns what it is, as a noun; null where it cannot be read
 * @throws ExtractionError `hostile` for one that needs too much memory
 */
export type ReadInner = (bytes: Buffer, format: DocumentFormat, out: SectionCollector) => Promise<string | null>;

/**
 * Reads the documents inside of another one, each into sections of its own after those of the outer one. Those that are left
 * out, and those that are read only in part, are counted.
 * @param residentBytes of the process before the outer one was read
 * @param keep keeps what is read so far: called before each, which may exhaust the process
 */
export async function readEmbedded(
  out: SectionCollector,
  readInner: ReadInner,
  residentBytes: number,
  keep: () => Promise<void>,
): Promise<void> {
  setLeft(out, await readQueue(out, readInner, residentBytes + MAX_TAKEN_BYTES, keep));
}

function setLeft({ facts }: SectionCollector, left: number): void {
  if (left > 0) facts.embeddedLeft = left;
  else delete facts.embeddedLeft;
}

async function readQueue(
  out: SectionCollector,
  readInner: ReadInner,
  maxBytes: number,
  keep: () => Promise<void>,
): Promise<number> {
  const queue: (EmbeddedFile & { nesting: number })[] = out.embedded.map((file) => ({ ...file, nesting: 1 }));
  const end = performance.now() + MAX_TIME_MS;
  let left = out.embeddedBeyond;
  for (let count = 0; queue.length > 0; count++) {
    // The text is cut then, which has its own notice.
    if (out.isFull) return 0;
    const isSpent = performance.now() > end || process.memoryUsage.rss() > maxBytes;
    if (count >= MAX_EMBEDDED || isSpent) return left + queue.length;
    setLeft(out, left + queue.length);
    await keep();
    const file = queue.shift()!;
    const packed = await unpacked(file);
    if (packed === null) continue;
    const { bytes, name, format } = packed;
    const inner = new SectionCollector();
    let isInPart = false;
    const kind =
      format === undefined
        ? null
        : await readInner(bytes, format, inner).catch(() => {
            isInPart = true;
            return null;
          });
    const { sections, isCut } = inner.collected();
    if (isInPart || isCut || inner.facts.isDamaged) left += 1;
    if (sections.length === 0 && name === '') continue;
    const label = [`embedded ${kind ?? 'file'}${name && ` ${JSON.stringify(name)}`}`, file.place]
      .filter(Boolean)
      .join(', ')
      .slice(0, MAX_LABEL);
    if (sections.length === 0) out.begin('part', label);
    for (const section of sections) {
      out.begin('part', section.label === '' ? label : `${label}: ${section.label}`);
      out.add(section.text);
    }
    if (file.nesting < MAX_NESTING)
      queue.push(...inner.embedded.map((one) => ({ ...one, place: label, nesting: file.nesting + 1 })));
    else left += inner.embedded.length;
    left += inner.embeddedBeyond;
  }
  return out.isFull ? 0 : left;
}

interface Unpacked {
  bytes: Buffer;
  name: string;
  /** undefined for a file without a reader. */
  format: DocumentFormat | undefined;
}

/** The file itself where an OLE object packs it; null for a damaged or missing one. */
async function unpacked({ load, name }: EmbeddedFile): Promise<Unpacked | null> {
  const [{ OleFile }, { packedFile }] = await Promise.all([
    import('./office/ole.js'),
    import('./office/ole-object.js'),
  ]);
  try {
    const bytes = Buffer.from(load() ?? []);
    const format = formatOf(bytes, name);
    const packed = format === 'ole' ? packedFile(OleFile.open(bytes)) : null;
    return packed === null ? { bytes, name, format } : { ...packed, format: formatOf(packed.bytes, packed.name) };
  } catch {
    return null;
  }
}

function formatOf(bytes: Buffer, name: string): DocumentFormat | undefined {
  const start = bytes.subarray(0, 8).toString('latin1');
  const signed = SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1];
  return signed ?? NAMED.find(([pattern]) => pattern.test(name))?.[1];
}
