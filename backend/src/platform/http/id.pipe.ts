import { Injectable, type PipeTransform } from '@nestjs/common';
import { AppError, invalidField } from '../errors/app-error.js';

/** Parses a bigint id of the path; other text is 404. */
@Injectable()
export class IdPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
    if (!Number.isSafeInteger(id)) throw new AppError('not_found');
    return id;
  }
}

/** The largest id of a table whose ids are 32-bit integers. */
export const MAX_SMALL_ID = 2_147_483_647;

/** Parses the id of a table whose ids are 32-bit integers. */
@Injectable()
export class SmallIdPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    const id = new IdPipe().transform(text);
    if (id > MAX_SMALL_ID) throw new AppError('not_found');
    return id;
  }
}

/**
 * The id, of a table whose ids are 32-bit integers, that a query names; undefined when it names none.
 * @throws AppError `invalid`
 */
export function smallIdIn(query: Record<string, unknown>, field: string): number | undefined {
  const value = query[field];
  if (value === undefined || value === '') return undefined;
  const id = typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : Infinity;
  if (id > MAX_SMALL_ID) throw invalidField(field, `${field} must be an id.`);
  return id;
}

/** Parses a UUID of the path, in any case, into lower case as Postgres writes it; other text is 404. */
@Injectable()
export class UuidPipe implements PipeTransform<string, string> {
  transform(text: string): string {
    const id = text.toLowerCase();
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new AppError('not_found');
    return id;
  }
}
