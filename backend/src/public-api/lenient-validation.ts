import { ValidationPipe } from '@nestjs/common';
import { ERROR_KINDS, invalidField } from '../platform/errors/app-error.js';

/** Ignores unknown fields, which OpenAI's clients send. Other routes refuse them. */
const pipe = new ValidationPipe({
  whitelist: true,
  transform: true,
  stopAtFirstError: true,
  exceptionFactory: (errors) => {
    let [first] = errors;
    const path: string[] = [];
    for (; first !== undefined; first = first.children?.[0]) {
      path.push(first.property);
      if (first.constraints !== undefined) break;
    }
    return invalidField(path.join('.'), Object.values(first?.constraints ?? {})[0] ?? ERROR_KINDS.invalid.message);
  },
});

/** @throws AppError `invalid` naming the first wrong field */
export async function validBody<T>(body: unknown, type: new () => T): Promise<T> {
  return (await pipe.transform(body ?? {}, { type: 'body', metatype: type })) as T;
}
