import type { OwnAnswer } from './tanya-answer.js';

export type { ImportSource } from '@tanya/contract';

/** Where the contents of a file are: in the archive under an id, or in the conversation as a data URL or as text. */
export type FileSource = { assetId: string } | { dataUrl: string } | { text: string };

export interface SourceFile {
  name: string;
  /** Declared media type; '' when unknown. */
  type: string;
  source: FileSource;
}

export interface SourceNode {
  id: string;
  parentId: string | null;
  /** Ids of the versions below it in their order; other values have no effect. Absent in formats without such a list. */
  childIds?: readonly unknown[];
  /** `none`: a node that only connects others, such as a system prompt. */
  role: 'user' | 'assistant' | 'none';
  text: string;
  reasoning: string;
  model: string | null;
  /** Epoch ms. */
  createdAt: number | null;
  files: SourceFile[];
  /** Of an answer in an export of this product. */
  answer?: OwnAnswer;
}

/** What only an export of this product has of a thread. */
export interface OwnThread {
  modelId: string | null;
  /** Names of the tools that are switched on. */
  tools: string[];
  useInstructions: boolean | null;
}

/** One conversation of an export, in the order of its file. */
export interface SourceConversation {
  /** Identifies the conversation in later exports of the same program; '' when it has no id. */
  id: string;
  title: string;
  createdAt: number | null;
  updatedAt: number | null;
  isPinned: boolean;
  isArchived: boolean;
  /** The end of the shown path. */
  currentId: string | null;
  nodes: SourceNode[];
  /** All nodes of a long thread of this product; `nodes` is empty then. */
  stored?: Iterable<SourceNode> & { close(): void };
  /** Whether some of its messages were not kept, so that it cannot be imported. */
  isTooLong?: boolean;
  /** Of an export of this product, whose texts and order of versions are kept as they are. */
  own?: OwnThread;
}

/** A conversation of a known format, or null for other values. */
export type Converter = (value: unknown) => SourceConversation | null;
