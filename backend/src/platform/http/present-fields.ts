/** Fields of a DTO that the client sent; absent fields are undefined on the instance. */
export function presentFields<T extends object>(input: T): Partial<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<T>;
}
