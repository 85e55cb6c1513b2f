import type { FileNotice } from '@tanya/contract';
import { AppError } from '../../platform/errors/app-error.js';
import { extensionOf } from '../file-name.js';
import { isNamedOtherwise, nounOf } from '../inspection/document-kinds.js';
import { type DocumentFacts, MAX_CHARACTERS, type Section } from '../formats/sections.js';
import type { InspectedFile } from '../inspection/file-inspection.js';
import { toReadableText } from './readable-text.js';
import type { Extraction, TextExtractor } from './text-extractor.js';

export interface DocumentText {
  /** Text for models, in its order; none for images, and for files without text. */
  sections: Section[];
  /** Why the text is incomplete or missing. */
  notices: FileNotice[];
  /** Pages of a PDF; null for other files. */
  pages: number | null;
  /** Pages of a PDF without text, from 1, blank ones included. */
  textless: number[];
  /** What a PDF calls its pages, the first one first; none for one that does not name them. */
  pageNames?: string[];
}

const nothing = (...notices: FileNotice[]): DocumentText => ({ sections: [], notices, pages: null, textless: [] });

const PROBLEMS = { encrypted: 'document_protected', broken: 'text_unreadable', overloaded: 'reader_busy' } as const;

/** Kinds of which only the names inside are read. */
const ARCHIVES: readonly (string | undefined)[] = [nounOf('zip'), nounOf('rar'), nounOf('tar')];

const cut: FileNotice = { code: 'text_cut', params: { max: MAX_CHARACTERS } };

/** A document may have too many pages, or parts that its reader leaves, with far fewer characters. */
const cutOf = (sections: readonly Section[]): FileNotice =>
  sections.reduce((sum, { text }) => sum + text.length, 0) < MAX_CHARACTERS ? { code: 'beginning_only' } : cut;

const unknown = (kind: string): FileNotice => ({ code: 'type_unknown', params: { kind } });

/**
 * The text of a file for models, with notices for the user where it is incomplete.
 * @throws AppError `unreadable_file` for a document that exhausts its reader
 */
export async function documentText(path: string, file: InspectedFile, extractor: TextExtractor): Promise<DocumentText> {
  const { family, format } = file.kind;
  if (family === 'image' || family === 'audio') return nothing();
  const extension = extensionOf(file.name);
  if (format !== undefined) return fromExtraction(await extractor.read({ path, format, extension }), format, file);
  if (file.text === null) return nothing(unknown(file.signature ?? 'binary file'));
  const { text, isCut } = await toReadableText(file.text, MAX_CHARACTERS);
  if (text === '') return nothing({ code: 'no_text' });
  const sections: Section[] = [{ kind: 'part', label: '', text }];
  const facts = { kind: nounOf('text'), isNamedOtherwise: isNamedOtherwise(extension, 'text') };
  const notices = [...(isCut ? [cut] : []), ...noticesOfFacts(facts)];
  return { ...nothing(...notices), sections };
}

function fromExtraction(extraction: Extraction, format: string, file: InspectedFile): DocumentText {
  if ('sections' in extraction) {
    const { sections, isCut, pages = null, textless = [], pageNames } = extraction;
    const isArchive = ARCHIVES.includes(extraction.kind);
    const notices = [
      ...(isCut ? [cutOf(sections)] : []),
      ...(isArchive ? [{ code: 'names_only' } as const] : []),
      ...noticesOfFacts(extraction),
    ];
    return { sections, notices, pages, textless, ...(pageNames && { pageNames }) };
  }
  const { problem } = extraction;
  if (problem === 'hostile') throw new AppError('unreadable_file');
  const facts: DocumentFacts = 'kind' in extraction ? extraction : {};
  if (problem === 'unknown') return nothing(unknown(facts.kind ?? file.signature ?? 'binary file'));
  if (problem !== 'empty') return nothing({ code: PROBLEMS[problem] });
  const { pages = null, textless = [], pageNames } = facts;
  return { ...nothing({ code: emptyCode(format, facts) }), pages, textless, ...(pageNames && { pageNames }) };
}

function emptyCode(format: string, { kind }: DocumentFacts): FileNotice['code'] {
  if (ARCHIVES.includes(kind)) return 'archive_empty';
  return format === 'pdf' ? 'no_text_scan' : 'no_text';
}

/** Notices about what a reader has found out beside the text. */
function noticesOfFacts(facts: DocumentFacts): FileNotice[] {
  const { kind, isNamedOtherwise, encoding, isDamaged, embeddedLeft = 0, pagesLeft = 0 } = facts;
  const notices: FileNotice[] = [];
  if (isDamaged && pagesLeft === 0) notices.push({ code: 'text_damaged' });
  if (pagesLeft > 0) notices.push({ code: 'pages_too_complex', params: { count: pagesLeft } });
  if (embeddedLeft > 0) notices.push({ code: 'embedded_unread', params: { count: embeddedLeft } });
  if (encoding !== undefined) notices.push({ code: 'encoding_guessed', params: { encoding } });
  if (isNamedOtherwise && kind !== undefined) notices.push({ code: 'named_otherwise', params: { kind } });
  return notices;
}
