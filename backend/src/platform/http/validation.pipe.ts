import { type ArgumentMetadata, Injectable, ValidationPipe, type ValidationError } from '@nestjs/common';
import type { FieldError } from '@tanya/contract';
import { AppError } from '../errors/app-error.js';
import { CLIENT_JSON } from '../json/json-scan.js';
import { withinSizes } from './input-sizes.js';
import { cacheRules } from './validation-metadata.js';

/** Maximum nesting of input; deeper values could exhaust the stack of recursive code. */
const MAX_DEPTH = CLIENT_JSON.depth;

function fieldErrors(errors: ValidationError[], prefix = ''): FieldError[] {
  return errors.flatMap(({ property, constraints, children }) => {
    const field = `${prefix}${property}`;
    const own = Object.entries(constraints ?? {})
      .slice(0, 1)
      .map(([code, message]) => ({ field, message, code }));
    return [...own, ...fieldErrors(children ?? [], `${field}.`)];
  });
}

/** Whether Postgres can store every string of a value: no NUL, no unpaired surrogate. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return depth < MAX_DEPTH && Object.values(value).every((inner) => isStorable(inner, depth + 1));
}

/** Whether a parameter is an object with rules; the others are texts of the path and the query. */
const isDto = (type: ArgumentMetadata['metatype']): type is new () => object =>
  type !== undefined && ![String, Number, Boolean, Array, Object].includes(type as never);

@Injectable()
class InputPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const isInput = metadata.type !== 'custom';
    if (metadata.type === 'body' && Array.isArray(value)) throw new AppError('invalid');
    if (isInput && !isStorable(value)) {
      throw new AppError('invalid', { message: 'The request holds text that cannot be stored.' });
    }
    const { metatype } = metadata;
    const input = isInput && isDto(metatype) ? withinSizes(value, metatype, true) : value;
    return (await super.transform(input, metadata)) as unknown;
  }

  /** Leaves path and query parameters as text: Nest would accept `0x10` and `1e3` as numbers. */
  protected override transformPrimitive(value: unknown): unknown {
    return value;
  }
}

/**
 * Validation of REST bodies and socket payloads: refuses unknown fields and text that the database cannot store, and
 * converts no types.
 */
export function createValidationPipe(): ValidationPipe {
  cacheRules();
  return new InputPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => {
      const details = fieldErrors(errors);
      return new AppError('invalid', { message: details[0]?.message ?? 'The request is not valid.', details });
    },
  });
}
