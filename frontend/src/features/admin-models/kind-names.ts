import type { ModelKind } from '@tanya/contract';
import type { PlainTextKey } from '../../texts/catalogue';

export const KIND_NAMES: Readonly<Record<ModelKind, PlainTextKey>> = {
  chat: 'modelsPage.kind_chat',
  image: 'modelsPage.kind_image',
  embedding: 'modelsPage.kind_embedding',
  transcription: 'modelsPage.kind_transcription',
};
