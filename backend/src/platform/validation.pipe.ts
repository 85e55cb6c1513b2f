import { ValidationPipe, type ValidationError } from '@nestjs/common';
import type { FieldError } from '@tanya/contract';
import { AppError } from './app-error.js';

function fieldErrors(errors: ValidationError[], prefix = ''): FieldError[] {
  return errors.flatMap(({ property, constraints, children }) => {
    const field = `${prefix}${property}`;
    const own = Object.values(constraints ?? {})
      .slice(0, 1)
      .map((message) => ({ field, message }));
    return [...own, ...fieldErrors(children ?? [], `${field}.`)];
  });
}

/** The one validation of REST bodies and socket payloads: unknown fields are refused, types are not guessed. */
export const createValidationPipe = (): ValidationPipe =>
  new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => {
      const details = fieldErrors(errors);
      return new AppError('invalid', { message: details[0]?.message ?? 'The request is not valid.', details });
    },
  });
