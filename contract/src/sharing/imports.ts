import type { ErrorParams } from '../errors.js';

/** Programs whose exports can be imported; `tanya` is this product itself. */
export const IMPORT_SOURCES = [
  'chatgpt',
  'claude',
  'deepseek',
  'grok',
  'librechat',
  'lobechat',
  'open-webui',
  'typingmind',
  'tanya',
] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/** Names of the other programs, the same in every language. */
export const IMPORT_SOURCE_NAMES = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  deepseek: 'DeepSeek',
  grok: 'Grok',
  librechat: 'LibreChat',
  lobechat: 'LobeChat',
  'open-webui': 'Open WebUI',
  typingmind: 'TypingMind',
} as const satisfies Record<Exclude<ImportSource, 'tanya'>, string>;

export const IMPORT_STATES = ['running', 'done', 'failed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/**
 * Why a conversation, some of its files or a whole file was not imported: code and English sentence, in ICU MessageFormat.
 */
export const IMPORT_REMARKS = {
  conversation_too_large: 'The conversation is too large.',
  conversation_empty: 'The conversation has no messages.',
  not_a_conversation: 'This is not a conversation.',
  not_stored: 'The conversation could not be stored.',
  storage_full: 'Your imports and copies fill the storage for texts. Delete some and import the file again.',
  files_left_out:
    '{count, plural, one {# file was} other {# files were}} left out: missing in the export, too large or of an unsupported type.',
  file_broken: 'The file is damaged, or it is neither JSON nor a ZIP archive.',
  file_unknown_format:
    'The file has no conversations of ChatGPT, Claude, DeepSeek, Grok, LibreChat, LobeChat, Open WebUI or TypingMind.',
  file_too_large: 'The file is too large to be read.',
  file_too_many: 'The file has more than {max, number} conversations or too many files.',
  server_stopped: 'The server stopped during the import. Import the file again: existing conversations are skipped.',
  server_failed: 'The server failed to import the file. Import it again: existing conversations are skipped.',
} as const;

/** A reason as a code, for pages in other languages. For an unknown code a page shows the sentence. */
export interface ImportRemark {
  code: keyof typeof IMPORT_REMARKS;
  params?: ErrorParams;
}

export interface ImportFailure {
  /** Title of the conversation; '' when it has none. */
  title: string;
  reason: string;
}

/** The response of `GET /api/user/import/{id}`. */
export interface ImportStatus {
  id: string;
  state: ImportState;
  /** null until the first conversation is recognized. */
  source: ImportSource | null;
  /** Conversations found so far. */
  total: number;
  imported: number;
  /** Conversations that an earlier import brought. */
  skipped: number;
  /** Conversations that were not imported, at most `LIMITS.importFailures` of them. */
  failures: ImportFailure[];
  /** Share of the file that has been read, 0 to 1. */
  progress: number;
  /** Why the import failed as a whole. Conversations that were imported before stay. */
  error: string | null;
  errorRemark: ImportRemark | null;
  createdAt: string;
  endedAt: string | null;
}

export const IMPORT_OUTCOMES = ['imported', 'skipped', 'failed'] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

/** A row of the report: `GET /api/user/import/{id}/conversations`. */
export interface ImportedConversation {
  title: string;
  outcome: ImportOutcome;
  /** Why it failed, or what was left out of it. */
  reason: string | null;
  remark: ImportRemark | null;
  /** The new thread; null when no thread was made, or when it was deleted since. */
  threadId: number | null;
}

export interface ImportStarted {
  id: string;
}
