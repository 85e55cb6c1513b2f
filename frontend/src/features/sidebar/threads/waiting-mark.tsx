import { Box } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { holdTitleMark } from '../../../app/browser/page-title';
import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { hasWaiting } from '../../../app/queries/thread-list';
import { threadsQuery } from '../../../app/queries/threads.query';
import { onConnected, onEvent, useConnection } from '../../../app/socket/socket';
import { waitingQuery } from './waiting.query';

/** The events of one change arrive together and cause one read. */
const DEBOUNCE_MS = 120;

/**
 * Marks the title of the tab while a chat of the account waits for approval.
 * @param isShown also shows a dot at the corner of the button beside it, which opens the list
 */
export default function WaitingMark({ isShown }: { isShown: boolean }) {
  const { data: isListed } = useInfiniteQuery({ ...threadsQuery(), select: hasWaiting });
  const { data: isAnywhere } = useQuery({ ...waitingQuery, select: (threads) => threads.length > 0 });
  const isWaiting = isListed || isAnywhere;
  useWaitingEvents();
  useEffect(() => (isWaiting ? holdTitleMark() : undefined), [isWaiting]);
  if (!isShown || !isWaiting) return null;
  return (
    <Box
      as="span"
      role="img"
      aria-label={t('threadList.waiting')}
      position="absolute"
      top="1.5"
      insetEnd="1.5"
      boxSize="2"
      borderRadius="full"
      bg="fg.warning"
      pointerEvents="none"
    />
  );
}

/** Reads the waiting threads again after a change of one of them, or of a thread that the list does not have. */
function useWaitingEvents(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: waitingQuery.queryKey }), DEBOUNCE_MS);
    };
    const readIfConcerned = ({ threadId }: { threadId: number }) => {
      const listed = queryClient.getQueryData(threadsQuery().queryKey)?.pages.flatMap(({ items }) => items);
      const waiting = queryClient.getQueryData(waitingQuery.queryKey);
      const inList = listed?.find(({ id }) => id === threadId);
      if (!inList || inList.waiting || waiting?.some(({ id }) => id === threadId)) read();
    };
    let isReconnect = useConnection.getState().status === 'connected';
    const readAfterReconnect = () => {
      if (isReconnect) read();
      isReconnect = true;
    };
    const stops = [
      onEvent('thread:changed', readIfConcerned),
      onEvent('thread:deleted', readIfConcerned),
      onConnected(readAfterReconnect),
    ];
    return () => {
      clearTimeout(timer);
      stops.forEach((stop) => stop());
    };
  }, []);
}
