import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { holdTitleMark } from '../../../app/browser/page-title';
import { hasWaiting } from '../../../app/queries/thread-list';
import { threadsQuery } from '../../../app/queries/threads.query';

/** Marks the title of the tab while a chat of the account waits for approval. */
export default function WaitingMark() {
  const { data: isWaiting } = useInfiniteQuery({ ...threadsQuery(), select: hasWaiting });
  useEffect(() => (isWaiting ? holdTitleMark() : undefined), [isWaiting]);
  return null;
}
