/** The edited fields of a request: the others may have been changed by someone else since the form was shown. */
export const editedOnly = <T extends object>(request: T, dirtyFields: Readonly<Record<string, unknown>>): Partial<T> =>
  Object.fromEntries(Object.entries(request).filter(([name]) => dirtyFields[name])) as Partial<T>;

/** Whether a field is edited. `isDirty` of a form is false after a change of what is stored. */
export const hasEdits = (dirtyFields: object): boolean => Object.values(dirtyFields).some(Boolean);
