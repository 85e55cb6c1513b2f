import '../../platform/system/windows-1252.js';
import type { DocumentFormat } from '../inspection/file-kind.js';
import { type ReadInner, readEmbedded } from './embedded-files.js';
import { type DocumentKind, isNamedOtherwise, nounOf } from '../inspection/document-kinds.js';
import { ExtractionError, type ExtractionResult, SectionCollector } from './sections.js';
import type { Keep } from '../../platform/sandbox/sandbox-worker.js';

/** A reader that the content has chosen, with what the content is. */
interface Chosen {
  kind: DocumentKind;
  read: () => void | Promise<void>;
}

/** Keeps what is read so far, before work that may exhaust the process. */
type KeepRead = () => Promise<void>;

type Choose = (bytes: Buffer, out: SectionCollector, keep: KeepRead) => Promise<Chosen>;

/** Loaded when it is needed: a process reads one document, with the libraries of its format alone. */
const FORMATS: Record<DocumentFormat, Choose> = {
  pdf: async (bytes, out, keep) => {
    const { readPdf } = await import('./pdf/pdf.js');
    return { kind: 'pdf', read: () => readPdf(bytes, out, keep) };
  },
  zip: chooseInZip,
  ole: chooseInOle,
  rar: async (bytes, out) => {
    const { readRarNames } = await import('./archive-names.js');
    return { kind: 'rar', read: () => readRarNames(bytes, out) };
  },
  gzip: async (bytes, out) => {
    const { addNames, firstLines, gunzipped, isTar, tarNames } = await import('./archive-names.js');
    const inflated = await gunzipped(bytes);
    const { content, isCut, isDamaged } = inflated;
    if (isDamaged) out.facts.isDamaged = true;
    if (isTar(content)) return { kind: 'tar', read: () => addNames(tarNames(content), out, isCut) };
    const { addText, decodeAnyText } = await import('./text/text-file.js');
    const text = decodeAnyText(firstLines(inflated));
    const read = () => {
      if (text !== null) addText(text, out);
      else if (!isCut) out.embed(() => content);
    };
    return { kind: 'gzip', read };
  },
  tar: async (bytes, out) => {
    const { addNames, tarNames } = await import('./archive-names.js');
    return { kind: 'tar', read: () => addNames(tarNames(bytes), out) };
  },
  rtf: async (bytes, out) => {
    const { readRtf } = await import('./rtf.js');
    return { kind: 'rtf', read: () => readRtf(bytes, out) };
  },
  mail: async (bytes, out) => {
    const { readMails } = await import('./mail.js');
    return { kind: 'mail', read: () => readMails(bytes, out) };
  },
  tnef: async (bytes, out) => {
    const { readTnef } = await import('./tnef.js');
    return { kind: 'tnef', read: () => readTnef(bytes, out) };
  },
  smime: async (bytes, out) => {
    const { readSmime } = await import('./mail.js');
    return { kind: 'smime', read: () => readSmime(bytes, out) };
  },
  html: async (bytes, out) => {
    const { readHtmlText } = await import('./html-text.js');
    return { kind: 'html', read: () => out.add(readHtmlText(bytes, '')) };
  },
  odf: async (bytes, out) => {
    const { readOdfXml } = await import('./office/odf.js');
    const kind = odfKindOf(MEDIA_TYPE.exec(bytes.toString('latin1', 0, HEAD_BYTES))?.[1] ?? '');
    return { kind, read: () => readOdfXml(bytes, undefined, out) };
  },
  opc: async (bytes, out) => {
    const [{ OfficePackage }, { decodeXml }] = await Promise.all([import('./office/package.js'), import('./xml.js')]);
    const chosen = chooseOffice(OfficePackage.openFlat(decodeXml(bytes)), out);
    if (chosen === null) throw new ExtractionError('broken');
    return chosen;
  },
  notebook: async (bytes, out) => {
    const { readNotebook } = await import('./notebook.js');
    return { kind: 'notebook', read: () => readNotebook(bytes, out) };
  },
  sheet: async (bytes, out) => {
    const { readSingleSheet } = await import('./office/sheets/spreadsheet.js');
    return { kind: 'xls', read: () => readSingleSheet(bytes, out) };
  },
  word: async (bytes, out) => {
    const { readWord2 } = await import('./doc/doc.js');
    return { kind: 'doc', read: () => readWord2(bytes, out) };
  },
  text: async (bytes, out) => {
    const { readTextFile } = await import('./text/text-file.js');
    return { kind: 'text', read: () => readTextFile(bytes, out) };
  },
};

/** Kinds of OpenDocument files by their media type. */
const ODF_KINDS: readonly [RegExp, DocumentKind][] = [
  [/opendocument\.text/, 'odt'],
  [/opendocument\.spreadsheet/, 'ods'],
  [/opendocument\.presentation/, 'odp'],
  [/opendocument\.graphics/, 'odg'],
];

/** Where an OpenDocument file of one XML says its media type. */
const MEDIA_TYPE = /office:mimetype="([^"]*)"/;
const HEAD_BYTES = 8_192;

const odfKindOf = (media: string): DocumentKind => ODF_KINDS.find(([pattern]) => pattern.test(media))?.[1] ?? 'odt';

/** The list of media types of an Office file; where that is cut off, the usual main parts. */
const OFFICE_PARTS = /^(?:\[content_types\]|word\/document|xl\/workbook|ppt\/presentation)\.xml$/i;

/** Parts of documents, by which an archive that is cut off was one. */
const DOCUMENT_PARTS =
  /^(?:\[content_types\]\.xml|mimetype|(?:xl|word|ppt|docProps)\/(?:.+\.(?:xml|rels|bin|vml)|media\/.+))$/i;

/** The main parts of Office files by their media type. */
const OFFICE_KINDS: readonly [RegExp, 'docx' | 'xlsx' | 'pptx'][] = [
  [/wordprocessingml|ms-word/, 'docx'],
  [/spreadsheetml|ms-excel/, 'xlsx'],
  [/presentationml|ms-powerpoint/, 'pptx'],
];

/** Known archives that are no documents for a reader, by a name in them. */
const OTHER_ARCHIVES: readonly [RegExp, string][] = [
  [/^visio\/document\.xml$/, 'Visio drawing'],
  [/^Index\/.*\.iwa$|^Index\.zip$|^index\.(?:xml|apxl)(?:\.gz)?$/, 'Apple iWork document'],
  [/\.fpage$/, 'XPS document'],
];

/** How Pages, Numbers and Keynote let others show a document, where their author has not switched it off. */
const PREVIEW = 'QuickLook/Preview.pdf';

/** The same of containers before 2007, by a stream in them. */
const OTHER_CONTAINERS: readonly [stream: string, kind: string][] = [
  ['VisioDocument', 'Visio drawing'],
  ['Quill/QuillSub/CONTENTS', 'Publisher document'],
  ['MatOST', 'Works document'],
  ['PP40', 'PowerPoint 4 presentation'],
  ['Props14', 'Project plan'],
  ['Props12', 'Project plan'],
  ['Props9', 'Project plan'],
];

async function chooseInZip(bytes: Buffer, out: SectionCollector): Promise<Chosen> {
  const { isCutZip, zipNames } = await import('./zip-contents.js');
  const names = zipNames(bytes);
  const chosen = await chooseByNames(bytes, names, out);
  if (!isCutZip(bytes)) return chosen;
  // A document of which too little is left to tell what it was.
  if (chosen.kind === 'zip' && names.some((name) => DOCUMENT_PARTS.test(name))) throw new ExtractionError('broken');
  out.facts.isDamaged = true;
  const read = async () => {
    await chosen.read();
    if (!out.hasText) throw new ExtractionError('broken');
  };
  return { ...chosen, read };
}

async function chooseByNames(bytes: Buffer, names: string[], out: SectionCollector): Promise<Chosen> {
  const { OfficePackage } = await import('./office/package.js');
  if (names.includes(PREVIEW)) {
    const { zipEntries } = await import('./zip-contents.js');
    const preview = zipEntries(bytes, (name) => name === PREVIEW).get(PREVIEW);
    return { kind: 'iwork', read: () => out.embed(() => preview, PREVIEW.split('/').at(-1)) };
  }
  const other = OTHER_ARCHIVES.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  if (other !== undefined) {
    out.facts.kind = other;
    throw new ExtractionError('unknown');
  }
  if (names.some((name) => /^Contents\/section0\.xml$/i.test(name))) {
    const { readHwpx } = await import('./hancom.js');
    return { kind: 'hwp', read: () => readHwpx(bytes, out) };
  }
  if (names.some((name) => /^META-INF\/container\.xml$|\.opf$/i.test(name))) {
    const { isBook, readEpub } = await import('./epub.js');
    if (isBook(bytes, names)) return { kind: 'epub', read: () => readEpub(bytes, out) };
  }
  if (names.includes('content.xml')) {
    const office = OfficePackage.open(bytes);
    const type = Buffer.from(office.bytes('mimetype') ?? []).toString() || office.xml('META-INF/manifest.xml');
    const { readOdf } = await import('./office/odf.js');
    return { kind: odfKindOf(type), read: () => readOdf(office, out) };
  }
  if (names.some((name) => OFFICE_PARTS.test(name))) {
    const chosen = chooseOffice(OfficePackage.open(bytes), out);
    if (chosen !== null) return chosen;
  }
  const { addNames, shownZipNames } = await import('./archive-names.js');
  return { kind: 'zip', read: () => addNames(shownZipNames(bytes, names), out) };
}

type OfficePackage = import('./office/package.js').OfficePackage;
type OleFile = import('./office/ole.js').OleFile;

function chooseOffice(office: OfficePackage, out: SectionCollector): Chosen | null {
  const kind = officeKind(office);
  if (kind === undefined) return null;
  const reader = kind === 'xlsx' && /\.bin$/i.test(office.main ?? '') ? 'xlsb' : kind;
  return { kind, read: async () => (await OFFICE_READERS[reader]())(office, out) };
}

const OFFICE_READERS = {
  docx: async () => (await import('./office/docx.js')).readDocx,
  xlsx: async () => (await import('./office/sheets/xlsx.js')).readXlsx,
  xlsb: async () => (await import('./office/sheets/spreadsheet.js')).readXlsb,
  pptx: async () => (await import('./office/pptx.js')).readPptx,
};

const ROOTS = { document: 'docx', wordDocument: 'docx', workbook: 'xlsx', presentation: 'pptx' } as const;

/** By the media type of the main part, else by its first element. */
function officeKind(office: OfficePackage): 'docx' | 'xlsx' | 'pptx' | undefined {
  const { main } = office;
  if (main === undefined) return undefined;
  const type = office.typeOf(main);
  const known = OFFICE_KINDS.find(([pattern]) => pattern.test(type))?.[1];
  const root = /<(?:\w+:)?(document|wordDocument|workbook|presentation)[\s>]/.exec(
    office.xml(main).slice(0, PROLOGUE),
  )?.[1];
  return known ?? ROOTS[root as keyof typeof ROOTS];
}

/** Characters in which the first element of a part stands. */
const PROLOGUE = 4_096;

/** The subject and the text of a mail of Outlook in a code page. */
const NARROW_TEXTS = ['__substg1.0_0037001E', '__substg1.0_1000001E'];

async function chooseInOle(bytes: Buffer, out: SectionCollector): Promise<Chosen> {
  const { OleFile } = await import('./office/ole.js');
  const ole = OleFile.open(bytes);
  const openUnasked = async () => {
    const { openedUnasked } = await import('./office/default-passwords.js');
    const opened = await openedUnasked(bytes, ole);
    if (opened === null) throw new ExtractionError('encrypted');
    return opened;
  };
  const opening = (read: (bytes: Buffer, ole: OleFile) => void) => async () => {
    try {
      read(bytes, ole);
    } catch (error) {
      if (!(error instanceof ExtractionError) || error.problem !== 'encrypted') throw error;
      const opened = await openUnasked();
      read(opened, OleFile.open(opened));
    }
  };
  if (ole.has('EncryptedPackage')) return chooseInZip(await openUnasked(), out);
  if (ole.has('WordDocument')) {
    const { readDoc } = await import('./doc/doc.js');
    return { kind: 'doc', read: () => readDoc(ole, out) };
  }
  if (ole.has('PowerPoint Document') || ole.has('PP97_DUALSTORAGE/PowerPoint Document')) {
    const { readPpt } = await import('./ppt/ppt.js');
    return { kind: 'ppt', read: opening((_, opened) => readPpt(opened, out)) };
  }
  if (ole.has('Workbook') || ole.has('Book')) {
    const { readXls } = await import('./office/sheets/spreadsheet.js');
    return { kind: 'xls', read: opening((book, opened) => readXls(book, opened, out)) };
  }
  if (ole.has('__properties_version1.0')) {
    const { readMsg } = await import('./mail.js');
    const isNarrow = NARROW_TEXTS.some((stream) => ole.has(stream));
    return { kind: 'msg', read: () => readMsg(bytes, isNarrow, out) };
  }
  if (ole.has('FileHeader') && ole.has('BodyText/Section0')) {
    const { readHwp } = await import('./hancom.js');
    return { kind: 'hwp', read: () => readHwp(ole, out) };
  }
  out.facts.kind = OTHER_CONTAINERS.find(([stream]) => ole.has(stream))?.[1] ?? 'OLE file';
  throw new ExtractionError('unknown');
}

const readInner: ReadInner = async (bytes, format, out) => {
  try {
    // What the outer document has is kept before each inner one.
    const { kind, read } = await FORMATS[format](bytes, out, async () => {});
    await read();
    return nounOf(kind);
  } catch (error) {
    if (error instanceof ExtractionError && error.problem === 'hostile' && !out.hasText) throw error;
    if (out.hasText) out.facts.isDamaged = true;
    return out.hasText ? 'document' : null;
  }
};

/**
 * Reads the sections of a document. Its content decides what it is, whatever its name. Time and memory are unbounded: call
 * it in a sandbox only.
 * @param extension of the name, in lower case; '' for none
 * @param keep gets the text so far before pages, and before each document inside of this one
 */
export async function readDocument(
  bytes: Buffer,
  format: DocumentFormat,
  extension = '',
  keep?: Keep<ExtractionResult>,
): Promise<ExtractionResult> {
  const residentBytes = process.memoryUsage.rss();
  const out = new SectionCollector();
  const { facts } = out;
  const keepRead = async () => {
    if (out.hasText) await keep?.(resultOf(out));
  };
  try {
    const { kind, read } = await FORMATS[format](bytes, out, keepRead);
    facts.kind = nounOf(kind);
    if (isNamedOtherwise(extension, kind)) facts.isNamedOtherwise = true;
    await read();
    await readEmbedded(out, readInner, residentBytes, keepRead);
  } catch (error) {
    const problem = error instanceof ExtractionError ? error.problem : 'broken';
    // A document that is truncated or corrupt in the middle keeps the text before that point.
    if (problem !== 'broken' || !out.hasText) return { problem, ...facts };
    facts.isDamaged = true;
  }
  return resultOf(out);
}

function resultOf(out: SectionCollector): ExtractionResult {
  const { sections, isCut } = out.collected();
  return sections.length === 0 ? { problem: 'empty', ...out.facts } : { sections, isCut, ...out.facts };
}
