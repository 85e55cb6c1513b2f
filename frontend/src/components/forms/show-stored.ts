import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

/** Shows the stored values after a save and keeps the fields that were edited during the save. */
export function showStored<T extends FieldValues>(form: UseFormReturn<T>, stored: T, sent: T): void {
  const typed = form.getValues();
  form.reset(stored, { keepDirtyValues: false });
  for (const name of Object.keys(sent) as Path<T>[])
    if (JSON.stringify(typed[name]) !== JSON.stringify(sent[name]))
      form.setValue(name, typed[name], { shouldDirty: true });
}
