import { type ImportRemark, LIMITS } from '@tanya/contract';
import type { RejectionReason } from './reader/reader-messages.js';
import type { UnreadableReason } from './reader/unreadable-export.js';

export const UNREADABLE: Record<UnreadableReason, ImportRemark> = {
  broken: { code: 'file_broken' },
  'unknown-format': { code: 'file_unknown_format' },
  'too-large': { code: 'file_too_large' },
  'too-many': { code: 'file_too_many', params: { max: LIMITS.importConversations } },
};

export const REJECTED: Record<RejectionReason, ImportRemark> = {
  'too-large': { code: 'conversation_too_large' },
  empty: { code: 'conversation_empty' },
  unrecognized: { code: 'not_a_conversation' },
  broken: { code: 'file_broken' },
};

export const NOT_STORED: ImportRemark = { code: 'not_stored' };
export const STORAGE_FULL: ImportRemark = { code: 'storage_full' };
export const STOPPED: ImportRemark = { code: 'server_stopped' };
export const FAILED: ImportRemark = { code: 'server_failed' };

export const filesLeftOut = (count: number): ImportRemark => ({ code: 'files_left_out', params: { count } });

export const CUT_NOTICE = 'This message was cut.';

const SENTENCES = {
  conversation_too_large: 'The conversation is too large.',
  conversation_empty: 'The conversation has no messages.',
  not_a_conversation: 'This is not a conversation.',
  not_stored: 'The conversation could not be stored.',
  storage_full: 'Your imports and copies fill the storage for texts. Delete some and import the file again.',
  files_left_out: '{count} left out: missing in the export, too large or of an unsupported type.',
  file_broken: 'The file is damaged, or it is neither JSON nor a ZIP archive.',
  file_unknown_format: 'The file has no conversations of ChatGPT, Open WebUI or LibreChat.',
  file_too_large: 'The file is too large to be read.',
  file_too_many: `The file has more than ${LIMITS.importConversations.toLocaleString('en')} conversations or too many files.`,
  server_stopped: 'The server stopped during the import. Import the file again: existing conversations are skipped.',
  server_failed: 'The server failed to import the file. Import it again: existing conversations are skipped.',
} satisfies Record<ImportRemark['code'], string>;

/** The English sentence of a remark, for programs. A code of a later version has that of a failure. */
export function sentenceOf({ code, params }: ImportRemark): string {
  const count = Number(params?.['count'] ?? 0);
  const sentence = code in SENTENCES ? SENTENCES[code] : SENTENCES.server_failed;
  return sentence.replace('{count}', `${count} file${count === 1 ? ' was' : 's were'}`);
}
