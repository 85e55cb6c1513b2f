import type { AdminModel, PublicModel } from '@tanya/contract';
import type { ModelEntity } from './model.entity.js';

export const toPublicModel = (model: ModelEntity): PublicModel => ({
  modelId: model.modelId,
  name: model.name,
  provider: model.provider,
  description: model.description,
  isEnabled: model.isEnabled,
  isApiEnabled: model.isApiEnabled,
  isPremium: model.isPremium,
});

export const toAdminModel = (model: ModelEntity): AdminModel => ({
  ...toPublicModel(model),
  id: model.id,
  isDefault: model.isDefault,
  contextLength: model.contextLength,
  createdAt: model.createdAt.toISOString(),
  updatedAt: model.updatedAt.toISOString(),
});

/** Splits an id of the catalogue: `openai/gpt-4o` has provider `openai` and name `gpt-4o`. */
export function parseModelId(modelId: string): { provider: string; name: string } {
  const slash = modelId.indexOf('/');
  if (slash < 1 || slash === modelId.length - 1) return { provider: modelId, name: modelId };
  return { provider: modelId.slice(0, slash), name: modelId.slice(slash + 1) };
}
