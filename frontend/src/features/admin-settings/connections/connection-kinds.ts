import type { ConnectionKind } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import type { PlainTextKey } from '../../../texts/catalogue';

interface KindText {
  /** The name of the provider; null where the texts have one. */
  label: string | null;
  /** The address that an empty base URL stands for; '' where the base URL is required. */
  publicUrl: string;
  hint: PlainTextKey;
}

export const KINDS: Record<ConnectionKind, KindText> = {
  openrouter: {
    label: 'OpenRouter',
    publicUrl: 'https://openrouter.ai/api/v1',
    hint: 'connections.openrouterHint',
  },
  openai: {
    label: 'OpenAI',
    publicUrl: 'https://api.openai.com/v1',
    hint: 'connections.openaiHint',
  },
  compatible: {
    label: null,
    publicUrl: '',
    hint: 'connections.compatibleHint',
  },
};

export const kindLabel = (kind: ConnectionKind): string => KINDS[kind].label ?? t('connections.compatible');
