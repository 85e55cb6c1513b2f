import type { OpenAPIObject } from '@nestjs/swagger';

export type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
export type Schema = Schemas[string];

export const text: Schema = { type: 'string' };
export const integer: Schema = { type: 'integer' };
export const boolean: Schema = { type: 'boolean' };
export const nullable: Schema = { type: 'string', nullable: true };
export const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values });
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Object schema with every field of the contract's `T`; a new field without description fails to compile. */
export const shape = <T>(properties: { [Name in keyof Required<T>]: Schema }, optional: (keyof T)[] = []): Schema => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name as keyof T));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
};

/** An object of one `type` with one more field. */
export const part = (type: string, name: string, content: Schema): Schema => ({
  type: 'object',
  properties: { type: oneOf(type), [name]: content },
  required: ['type', name],
});
