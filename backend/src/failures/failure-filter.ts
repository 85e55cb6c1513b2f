import type { SelectQueryBuilder } from 'typeorm';
import { invalidField } from '../platform/errors/app-error.js';
import { daysParam } from '../platform/http/day-param.js';
import { smallIdIn } from '../platform/http/id.pipe.js';
import type { FailureEntity } from './failure.entity.js';

export interface FailureFilter {
  /** Of the answer or of the request. */
  id: string | null;
  code: string | null;
  modelId: string | null;
  connectionId: number | null;
  userId: number | null;
  /** Times in milliseconds: the first one, and the first one that is too late. */
  from: number | null;
  until: number | null;
}

/**
 * @throws AppError `invalid` for an id that is no number, a field that is named twice, and for days that are none or in the
 *   wrong order
 */
export function failureFilter(query: Record<string, unknown>): FailureFilter {
  return {
    ...daysParam(query),
    id: textIn(query, 'id'),
    code: textIn(query, 'code'),
    modelId: textIn(query, 'modelId'),
    connectionId: smallIdIn(query, 'connectionId') ?? null,
    userId: smallIdIn(query, 'userId') ?? null,
  };
}

/** Ids, codes and models are shorter. */
const MAX_TEXT = 256;

function textIn(query: Record<string, unknown>, field: 'id' | 'code' | 'modelId'): string | null {
  const value = query[field] ?? '';
  // A field that is named twice would narrow nothing.
  if (typeof value !== 'string') throw invalidField(field, `${field} must be one text.`);
  return value.trim().replaceAll('\0', '').slice(0, MAX_TEXT).toWellFormed() || null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Restricts a query of failures, whose alias is `failure`. */
export function applyFilter(failures: SelectQueryBuilder<FailureEntity>, filter: FailureFilter): void {
  const { id, from, until } = filter;
  if (id !== null && UUID.test(id))
    failures.andWhere('(failure.generationId = :uuid or failure.requestId = :id)', { id, uuid: id.toLowerCase() });
  else if (id !== null) failures.andWhere('failure.requestId = :id', { id });
  for (const name of ['code', 'modelId', 'connectionId', 'userId'] as const)
    if (filter[name] !== null) failures.andWhere(`failure.${name} = :${name}`, { [name]: filter[name] });
  if (from !== null) failures.andWhere('failure.createdAt >= :from', { from: new Date(from) });
  if (until !== null) failures.andWhere('failure.createdAt < :until', { until: new Date(until) });
}
