import { ValidationPipe } from '@nestjs/common';
import { ERROR_KINDS, invalidField } from '../platform/errors/app-error.js';
import { type JsonFields, takeJson } from './json-fields.js';

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

/**
 * @param json fields with JSON of any form, which the request gets unchanged
 * @throws AppError `invalid` naming the first wrong field
 */
export async function validBody<T extends object>(body: unknown, type: new () => T, json: JsonFields = {}): Promise<T> {
  const putJson = takeJson(body, json);
  const request = (await pipe.transform(body ?? {}, { type: 'body', metatype: type })) as T;
  putJson(request);
  return request;
}
