import type { ConnectionKind } from '@tanya/contract';

interface KindText {
  label: string;
  /** The address that an empty base URL stands for; '' where the base URL is required. */
  publicUrl: string;
  hint: string;
}

export const KINDS: Record<ConnectionKind, KindText> = {
  openrouter: {
    label: 'OpenRouter',
    publicUrl: 'https://openrouter.ai/api/v1',
    hint: 'Leave blank for OpenRouter’s own address.',
  },
  openai: {
    label: 'OpenAI',
    publicUrl: 'https://api.openai.com/v1',
    hint: 'Leave blank for OpenAI’s own address.',
  },
  compatible: {
    label: 'OpenAI-compatible',
    publicUrl: '',
    hint: 'The address of the server’s API, such as http://localhost:11434/v1 for Ollama.',
  },
};
