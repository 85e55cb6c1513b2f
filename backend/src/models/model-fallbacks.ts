import type { ModelKind } from '@tanya/contract';
import { In, type EntityManager } from 'typeorm';
import { refuseField } from '../platform/errors/app-error.js';
import { ModelEntity } from './model.entity.js';

/** A model with the fallbacks that it is to have. */
interface Wanted {
  modelId: string;
  kind: ModelKind;
  fallbacks: readonly string[];
  /** Those that it has; a deleted one may stay. */
  before: readonly string[];
}

/**
 * Refuses fallbacks that cannot answer, and circles: an answer asks the fallbacks of one model alone, so an admin who closes a
 * circle expects what does not happen. The caller has locked the table.
 * @throws AppError `invalid`
 */
export async function checkFallbacks(manager: EntityManager, wanted: Wanted): Promise<void> {
  const { modelId, kind, fallbacks, before } = wanted;
  if (fallbacks.length === 0) return;
  if (kind !== 'chat') throw refuseField('fallbacks', 'fallback_kind');
  if (new Set(fallbacks).size < fallbacks.length) throw refuseField('fallbacks', 'fallback_twice');
  const seen = new Set<string>();
  for (let next: readonly string[] = fallbacks; next.length > 0;) {
    if (next.includes(modelId)) throw refuseField('fallbacks', 'fallback_cycle');
    const rows = await manager.find(ModelEntity, {
      where: { modelId: In(next) },
      select: { modelId: true, kind: true, fallbacks: true },
    });
    if (next === fallbacks) {
      const known = new Set([...rows.map((row) => row.modelId), ...before]);
      if (!fallbacks.every((id) => known.has(id))) throw refuseField('fallbacks', 'fallback_unknown');
      if (rows.some((row) => row.kind !== 'chat')) throw refuseField('fallbacks', 'fallback_kind');
    }
    for (const id of next) seen.add(id);
    next = [...new Set(rows.flatMap((row) => row.fallbacks))].filter((id) => !seen.has(id));
  }
}
