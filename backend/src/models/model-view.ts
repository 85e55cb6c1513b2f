import {
  type AdminModel,
  LIMITS,
  MODEL_FIELD_NAMES,
  MODEL_FIELDS,
  type ModelCapabilities,
  type ModelField,
  type ModelFieldName,
  type ModelKind,
  type ModelValues,
  type PublicModel,
  type PublicModelField,
} from '@tanya/contract';
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

const PUBLIC_FIELDS = MODEL_FIELD_NAMES.filter((name): name is PublicModelField => 'isPublic' in MODEL_FIELDS[name]);

/** The values of declared fields under the names by which they are read. */
function valuesOf(model: ModelEntity, names: readonly ModelFieldName[]): object {
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const field: ModelField = MODEL_FIELDS[name];
    values[field.kind === 'override' ? field.shownAs : name] = model[name];
  }
  return values;
}

/** A model as members see it while its connection is available: with the shown name and provider. */
export const toPublicModel = (model: ModelEntity, names: ModelNames): PublicModel => ({
  modelId: model.modelId,
  ...(valuesOf(model, PUBLIC_FIELDS) as Pick<ModelEntity, PublicModelField>),
  name: names.nameOf(model),
  provider: names.providerOf(model),
  isEnabled: model.isEnabled,
  access: model.access,
  isPremium: model.access !== 'everyone',
  ...marksOf(model.kind, model),
});

export const toAdminModel = (model: ModelEntity, names: ModelNames): AdminModel => ({
  ...toPublicModel(model, names),
  ...(valuesOf(model, MODEL_FIELD_NAMES) as Omit<ModelValues, 'supportsTools'> & Pick<AdminModel, 'toolSupport'>),
  displayName: names.nameOf(model),
  displayProvider: names.providerOf(model),
  id: model.id,
  groupIds: model.groupIds,
  isDefault: model.isDefault,
  isKindGuessed: model.isKindGuessed,
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
