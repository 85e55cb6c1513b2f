import { IMPORT_REMARKS, type ImportRemark, LIMITS } from '@tanya/contract';
import { formatSentence } from '../platform/errors/sentences.js';
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

/** The English sentence of a remark, for programs. A code of a later version has that of a failure. */
export const sentenceOf = ({ code, params }: ImportRemark): string =>
  formatSentence(IMPORT_REMARKS[code in IMPORT_REMARKS ? code : 'server_failed'], params);
