import { type ArgumentMetadata, Injectable, ValidationPipe, type ValidationError } from '@nestjs/common';
import type { FieldError } from '@tanya/contract';
import { useContainer } from 'class-validator';
import { AppError } from '../errors/app-error.js';
import { isStorable } from '../json/storable-json.js';
import { Slices } from '../system/slices.js';
import { withinSizes } from './input-sizes.js';

type RuleClass = new () => object;

const rules = new Map<RuleClass, object>();

// class-validator's own container searches a list of all rules of the process for each rule of an input.
useContainer({
  get(type: RuleClass) {
    const rule = rules.get(type) ?? new type();
    rules.set(type, rule);
    return rule as never;
  },
});

function fieldErrors(errors: ValidationError[], prefix = ''): FieldError[] {
  return errors.flatMap(({ property, constraints, children }) => {
    const field = `${prefix}${property}`;
    const own = Object.entries(constraints ?? {})
      .slice(0, 1)
      .map(([code, message]) => ({ field, message, code }));
    return [...own, ...fieldErrors(children ?? [], `${field}.`)];
  });
}

/** Values that are looked at without a look at the clock. */
const SLICE_VALUES = 1_000;

/** Whether Postgres can store every string of a value: no NUL, no unpaired surrogate. */
async function areStorable(value: unknown): Promise<boolean> {
  const slices = new Slices();
  const open = [value];
  for (let seen = 1; open.length > 0; seen += 1) {
    const one = open.pop();
    const storable = typeof one !== 'string' || isStorable(one, slices);
    if (storable !== true && !(await storable)) return false;
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) open.push(inner);
    if (seen % SLICE_VALUES === 0) await slices.pause();
  }
  return true;
}

/** Whether a parameter is an object with rules; the others are texts of the path and the query. */
const isDto = (type: ArgumentMetadata['metatype']): type is new () => object =>
  type !== undefined && ![String, Number, Boolean, Array, Object].includes(type as never);

@Injectable()
class InputPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const isInput = metadata.type !== 'custom';
    if (metadata.type === 'body' && Array.isArray(value)) throw new AppError('invalid', { reason: 'no_json' });
    if (isInput && !(await areStorable(value))) {
      throw new AppError('invalid', { reason: 'unstorable_text' });
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
  return new InputPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => new AppError('invalid', { details: fieldErrors(errors) }),
  });
}
