import { LIMITS, USAGE_CHANNELS, USAGE_PLANS, type UsageFilter } from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';
import { smallIdIn } from '../../platform/http/id.pipe.js';

/** The filter as the columns of the rollup know it; null does not narrow. */
export interface FactsFilter {
  owner: string | null;
  apiKeyId: string | null;
  modelIds: string[] | null;
  plan: string | null;
  channel: string | null;
}

export const EVERYTHING: FactsFilter = { owner: null, apiKeyId: null, modelIds: null, plan: null, channel: null };

/** Narrows facts, with the parameters of `FactsFilter`. */
export const FILTERED = `and (:owner::text is null or owner = :owner::text)
  and (:apiKeyId::text is null or api_key_id = :apiKeyId::text)
  and (:modelIds::text[] is null or model_id = any (:modelIds::text[]))
  and (:plan::text is null or plan = :plan::text) and (:channel::text is null or channel = :channel::text)`;

/** @throws AppError `invalid` */
export function usageFilter(query: Record<string, unknown>): UsageFilter {
  return {
    userId: smallIdIn(query, 'userId'),
    keyId: smallIdIn(query, 'keyId'),
    connectionId: smallIdIn(query, 'connectionId'),
    modelId: modelIn(query),
    plan: choiceIn(query, 'plan', USAGE_PLANS),
    channel: choiceIn(query, 'channel', USAGE_CHANNELS),
  };
}

/** @param modelsOf the public ids of the models that a connection answers */
export function factsFilter(filter: UsageFilter, modelsOf: (connectionId: number) => string[]): FactsFilter | null {
  const { userId, keyId, modelId, connectionId, plan, channel } = filter;
  if (Object.values(filter).every((value) => value === undefined)) return null;
  const answered = connectionId === undefined ? null : modelsOf(connectionId);
  const models = modelId === undefined ? answered : [modelId].filter((id) => answered?.includes(id) ?? true);
  return {
    owner: userId === undefined ? null : `user:${userId}`,
    apiKeyId: keyId === undefined ? null : String(keyId),
    modelIds: models,
    plan: plan ?? null,
    channel: channel ?? null,
  };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== '';

function modelIn({ modelId }: Record<string, unknown>): string | undefined {
  if (!isGiven(modelId)) return undefined;
  if (typeof modelId !== 'string' || modelId.length > LIMITS.modelId.max || modelId.includes('\0'))
    throw invalidField('modelId', 'modelId must be the id of a model.');
  return modelId;
}

function choiceIn<Choice extends string>(
  query: Record<string, unknown>,
  name: 'plan' | 'channel',
  choices: readonly Choice[],
): Choice | undefined {
  const value = query[name];
  if (!isGiven(value)) return undefined;
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw invalidField(name, `${name} must be one of ${choices.join(', ')}.`);
  return choice;
}
