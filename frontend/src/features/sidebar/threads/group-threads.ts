import type { Thread } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';

export interface ThreadGroup {
  name: string;
  threads: Thread[];
}

/** Groups threads: the pinned ones, then the others by the calendar day of their last change. Omits empty groups. */
export function groupThreads(threads: readonly Thread[], now: Date): ThreadGroup[] {
  // Not by hours: the days on which clocks change have 23 or 25.
  const midnights = [0, 1, 7].map((days) => +new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));
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
    const index = midnights.findIndex((from) => changed >= from);
    groups[index === -1 ? 3 : index]?.threads.push(thread);
  }
  return [pinned, ...groups].filter((group) => group.threads.length > 0);
}
