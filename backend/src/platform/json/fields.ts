export type Fields = Record<string, unknown>;

/** Whether a value of JSON is an object: neither null nor a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a value of JSON: none where it is no object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
