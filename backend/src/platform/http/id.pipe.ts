import { Injectable, type PipeTransform } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';

/** A number of the path that names a row. What can't be an id names nothing. */
@Injectable()
export class IdPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
    if (!Number.isSafeInteger(id)) throw new AppError('not_found');
    return id;
  }
}

/** The same for tables whose ids are Postgres integers. */
@Injectable()
export class SmallIdPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    const id = new IdPipe().transform(text);
    if (id > 2_147_483_647) throw new AppError('not_found');
    return id;
  }
}
