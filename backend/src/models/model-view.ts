import { type AdminModel, LIMITS, type ModelCapabilities, type ModelKind, type PublicModel } from '@tanya/contract';
import type { ModelEntity } from './model.entity.js';
import type { ModelNames } from './model-names.js';

export function marksOf(
  kind: ModelKind,
  {
    inputModalities,
    reasoningEfforts,
    supportedParameters,
    supportsTools,
  }: Omit<ModelCapabilities, 'pricing' | 'outputModalities'> & Pick<Partial<ModelEntity>, 'supportsTools'>,
): Pick<PublicModel, 'kind' | 'vision' | 'isImage' | 'messageCost' | 'reasoningEfforts' | 'supportsTools'> {
  const isImage = kind === 'image';
  const isChat = kind === 'chat';
  return {
    kind,
    vision: inputModalities === null ? null : inputModalities.includes('image'),
    isImage,
    messageCost: isImage ? LIMITS.imageCost : 1,
    reasoningEfforts: !isChat ? [] : (reasoningEfforts ?? []),
    supportsTools: !isChat ? false : (supportsTools ?? supportedParameters?.includes('tools') ?? null),
  };
}

/** A model as members see it: with the shown name and provider. */
export const toPublicModel = (model: ModelEntity, names: ModelNames, isAvailable: boolean): PublicModel => ({
  modelId: model.modelId,
  name: names.nameOf(model),
  provider: names.providerOf(model),
  description: model.description,
  isEnabled: model.isEnabled && isAvailable,
  isApiEnabled: model.isApiEnabled,
  isInPicker: model.isInPicker,
  access: model.access,
  isPremium: model.access !== 'everyone',
  ...marksOf(model.kind, model),
  contextLength: model.contextLength,
});

export const toAdminModel = (model: ModelEntity, names: ModelNames): AdminModel => ({
  ...toPublicModel(model, names, true),
  name: model.name,
  provider: model.provider,
  displayName: names.nameOf(model),
  displayProvider: names.providerOf(model),
  id: model.id,
  groupIds: model.groupIds,
  connectionId: model.connectionId,
  upstreamId: model.upstreamId,
  systemPrompt: model.systemPrompt,
  parameters: model.parameters,
  fallbacks: model.fallbacks,
  isDefault: model.isDefault,
  isKindGuessed: model.isKindGuessed,
  toolSupport: model.supportsTools,
  contextLength: model.contextLength,
  pricing: model.pricing,
  inputModalities: model.inputModalities,
  outputModalities: model.outputModalities,
  supportedParameters: model.supportedParameters,
  reasoningEfforts: model.reasoningEfforts,
  createdAt: model.createdAt.toISOString(),
  updatedAt: model.updatedAt.toISOString(),
});

/** Ids without blanks and invisible characters. */
export const MODEL_ID = /^[^\s\p{C}]+$/u;

/** Splits an id of the catalogue: `openai/gpt-4o` has provider `openai` and name `gpt-4o`. */
export function parseModelId(modelId: string): { provider: string; name: string } {
  const slash = modelId.indexOf('/');
  if (slash < 1 || slash === modelId.length - 1) return { provider: modelId, name: modelId };
  return { provider: modelId.slice(0, slash), name: modelId.slice(slash + 1) };
}
