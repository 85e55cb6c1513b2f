import type { Thread } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';

export interface ThreadGroup {
  name: string;
  threads: Thread[];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Groups threads: the pinned ones, then the others by the calendar day of their last change. Omits empty groups. */
export function groupThreads(threads: readonly Thread[], now: Date): ThreadGroup[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const pinned: ThreadGroup = { name: t('order.pinned'), threads: threads.filter(({ isPinned }) => isPinned) };
  const groups: ThreadGroup[] = [
    { name: t('threadList.today'), threads: [] },
    { name: t('threadList.yesterday'), threads: [] },
    { name: t('threadList.week'), threads: [] },
    { name: t('threadList.older'), threads: [] },
  ];
  for (const thread of threads) {
    if (thread.isPinned) continue;
    const changed = new Date(thread.updatedAt).getTime();
    const index = [midnight, midnight - DAY_MS, midnight - 7 * DAY_MS].findIndex((from) => changed >= from);
    groups[index === -1 ? 3 : index]?.threads.push(thread);
  }
  return [pinned, ...groups].filter((group) => group.threads.length > 0);
}
