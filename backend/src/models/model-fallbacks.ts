import { ArrayContains, In, type EntityManager } from 'typeorm';
import { type AppError, refuseField } from '../platform/errors/app-error.js';
import { ModelEntity } from './model.entity.js';

type Judged = Pick<ModelEntity, 'modelId' | 'kind' | 'fallbacks'>;

/**
 * Why a model cannot have this kind with these fallbacks: they cannot answer, lead back to it, or it is a fallback of others
 * itself. Circles are refused because an answer asks the fallbacks of one model alone, so an admin who closes a circle expects
 * what does not happen. The caller has locked the table.
 * @param before the stored model: fallbacks that it has may stay after their deletion; null for a new model
 * @returns `invalid`; null for what it can have
 */
export async function refusedFallbacks(
  manager: EntityManager,
  { modelId, kind, fallbacks }: Judged,
  before: Judged | null,
): Promise<AppError | null> {
  if (kind !== 'chat') {
    if (fallbacks.length > 0) return refuseField('fallbacks', 'fallback_kind');
    const isNamed =
      kind !== before?.kind && (await manager.existsBy(ModelEntity, { fallbacks: ArrayContains([modelId]) }));
    return isNamed ? refuseField('kind', 'fallback_of_others') : null;
  }
  if (new Set(fallbacks).size < fallbacks.length) return refuseField('fallbacks', 'fallback_twice');
  const seen = new Set<string>();
  for (let next: readonly string[] = fallbacks; next.length > 0;) {
    if (next.includes(modelId)) return refuseField('fallbacks', 'fallback_cycle');
    const rows = await manager.find(ModelEntity, {
      where: { modelId: In(next) },
      select: { modelId: true, kind: true, fallbacks: true },
    });
    if (next === fallbacks) {
      const known = new Set([...rows.map((row) => row.modelId), ...(before?.fallbacks ?? [])]);
      if (!fallbacks.every((id) => known.has(id))) return refuseField('fallbacks', 'fallback_unknown');
      if (rows.some((row) => row.kind !== 'chat')) return refuseField('fallbacks', 'fallback_kind');
    }
    for (const id of next) seen.add(id);
    next = [...new Set(rows.flatMap((row) => row.fallbacks))].filter((id) => !seen.has(id));
  }
  return null;
}

/** @throws AppError `invalid`, see `refusedFallbacks` */
export async function checkFallbacks(...judged: Parameters<typeof refusedFallbacks>): Promise<void> {
  const refusal = await refusedFallbacks(...judged);
  if (refusal !== null) throw refusal;
}
