import type { RetentionRules } from '@tanya/contract';

const DAYS = ['guest', 'free', 'premium'] as const;

const isShorter = (days: number | null, than: number | null): boolean => (days ?? Infinity) < (than ?? Infinity);

/** Whether pinned threads of members can be deleted. */
const deletesPinned = ({ free, premium, exemptPinned }: RetentionRules): boolean =>
  !exemptPinned && (free !== null || premium !== null);

/** Whether rules delete anything earlier than others. */
export const isAnyShorter = (rules: RetentionRules, than: RetentionRules): boolean =>
  DAYS.some((kind) => isShorter(rules[kind], than[kind])) || (deletesPinned(rules) && !deletesPinned(than));

/** The rules of one kind of thread, without those of the others. */
export const onlyOf = (rules: RetentionRules, kind: (typeof DAYS)[number]): RetentionRules => ({
  guest: null,
  free: null,
  premium: null,
  exemptPinned: rules.exemptPinned,
  [kind]: rules[kind],
});

/** The rules that hold while shorter ones wait: of each kind of thread the longer time. */
export function longerOf(a: RetentionRules, b: RetentionRules): RetentionRules {
  const longer = (kind: (typeof DAYS)[number]) => (isShorter(a[kind], b[kind]) ? b[kind] : a[kind]);
  return {
    guest: longer('guest'),
    free: longer('free'),
    premium: longer('premium'),
    exemptPinned: deletesPinned(a) && deletesPinned(b) ? false : a.exemptPinned || b.exemptPinned,
  };
}
