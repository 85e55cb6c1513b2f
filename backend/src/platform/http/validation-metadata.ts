import { getMetadataStorage } from 'class-validator';

type Collect = ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas'];

let isInstalled = false;

/**
 * Makes class-validator collect the rules of a class once. It collects them for each object that it validates, from the
 * rules of all classes of the server. The rules of a class are complete before its first object exists, and the name of a
 * schema selects none of them.
 */
export function cacheRules(): void {
  if (isInstalled) return;
  isInstalled = true;
  const storage = getMetadataStorage();
  const collect: Collect = storage.getTargetValidationMetadatas.bind(storage);
  const rules = new Map<Parameters<Collect>[0], ReturnType<Collect>>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    // An object without a class may name anything as its constructor.
    const isKept = typeof target === 'function' && !always && !strictGroups && !groups?.length;
    if (!isKept) return collect(target, schema, always, strictGroups, groups);
    let known = rules.get(target);
    if (known === undefined) {
      known = collect(target, schema, always, strictGroups, groups);
      rules.set(target, known);
    }
    return known;
  };
}
