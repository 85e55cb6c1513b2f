import { type ArgumentMetadata, Injectable, ValidationPipe, type ValidationError } from '@nestjs/common';
import type { FieldError } from '@tanya/contract';
import { AppError } from '../errors/app-error.js';

/** Far deeper than any input of ours; what is nested further would only exhaust the stack of those who walk it. */
const MAX_DEPTH = 20;

function fieldErrors(errors: ValidationError[], prefix = ''): FieldError[] {
  return errors.flatMap(({ property, constraints, children }) => {
    const field = `${prefix}${property}`;
    const own = Object.values(constraints ?? {})
      .slice(0, 1)
      .map((message) => ({ field, message }));
    return [...own, ...fieldErrors(children ?? [], `${field}.`)];
  });
}

/** Whether every text in it can be stored: Postgres takes no NUL, and half a surrogate pair is no character. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return depth < MAX_DEPTH && Object.values(value).every((inner) => isStorable(inner, depth + 1));
}

@Injectable()
class InputPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const isInput = metadata.type !== 'custom';
    if (metadata.type === 'body' && Array.isArray(value)) throw new AppError('invalid');
    if (isInput && !isStorable(value)) {
      throw new AppError('invalid', { message: 'The request holds text that cannot be stored.' });
    }
    return (await super.transform(value, metadata)) as unknown;
  }

  /** Whoever wants a number of a path or a query reads it strictly: `0x10` and `1e3` are no ids. */
  protected override transformPrimitive(value: unknown): unknown {
    return value;
  }
}

/**
 * The one validation of REST bodies and socket payloads: unknown fields are refused, types are not guessed, and no text
 * comes through that the database would refuse.
 */
export const createValidationPipe = (): ValidationPipe =>
  new InputPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => {
      const details = fieldErrors(errors);
      return new AppError('invalid', { message: details[0]?.message ?? 'The request is not valid.', details });
    },
  });
