import { CONNECTION_KINDS, type ConnectionKind } from '@tanya/contract';
import { chatCompletions } from './upstream/chat-completions.js';
import type { WireFormat } from './upstream/wire-format.js';

export interface ProviderKind {
  /** Base URL of a connection without one; null if it needs one. */
  readonly publicUrl: string | null;
  /** Endpoint that refuses a wrong key, for servers that list their models without one; null for the others. */
  readonly keyPath: string | null;
  /** Request body and decoder of answers. */
  formatAt(baseUrl: string): WireFormat;
  /** The model id in the server's own form. */
  ownModelId(modelId: string): string;
}

/** The kinds of connections. Another wire format is a file beside `chat-completions.ts` and an entry here. */
export const PROVIDER_KINDS: Readonly<Record<ConnectionKind, ProviderKind>> = {
  openrouter: {
    publicUrl: 'https://openrouter.ai/api/v1',
    keyPath: '/key',
    formatAt: () => chatCompletions({ usesNewLimitName: false, effortField: 'reasoning' }),
    ownModelId: (modelId) => modelId,
  },
  openai: {
    publicUrl: 'https://api.openai.com/v1',
    keyPath: null,
    formatAt: (baseUrl) => chatCompletions({ usesNewLimitName: new URL(baseUrl).hostname === 'api.openai.com' }),
    // OpenAI's own ids do not have the maker's prefix.
    ownModelId: (modelId) => modelId.replace(/^openai\//, ''),
  },
  compatible: {
    publicUrl: null,
    keyPath: null,
    formatAt: () => chatCompletions({ usesNewLimitName: false }),
    ownModelId: (modelId) => modelId,
  },
};

/** False for a kind that a later version of the product has stored. */
export const isKnownKind = (kind: string): kind is ConnectionKind =>
  (CONNECTION_KINDS as readonly string[]).includes(kind);
