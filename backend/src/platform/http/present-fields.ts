/** The fields of an input that were sent: an instance of a DTO has all of its fields, those that were left out undefined. */
export function presentFields<T extends object>(input: T): Partial<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<T>;
}
