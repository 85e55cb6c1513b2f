import { Box, Button, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { Thread } from '@tanya/contract';
import { useEffect, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { onEvent } from '../../../app/socket/socket';
import { restoreThreads, trashQuery } from './trash';

/** How long Undo is offered. The server keeps the threads longer, so that a late press still works. */
const OFFER_MS = 10_000;
/** Events of one deletion arrive together and cause one read. */
const DEBOUNCE_MS = 120;

/** Offers to take the last deletion back: also in other tabs, and after a reload. */
export function UndoBar() {
  const { data: deleted = [], dataUpdatedAt } = useQuery(trashQuery);
  useTrashEvents();
  const isOffered = useOffer(deleted, dataUpdatedAt);
  if (!isOffered) return null;
  const ids = deleted.map(({ id }) => id);
  return (
    <Flex align="center" gap="2" ps="2.5" mb="1" minH="10" borderRadius="l2" bg="bg.muted" textStyle="sm">
      <Box role="status" flex="1" minW="0" truncate>
        {deleted.length === 1
          ? t('order.deletedOne', { title: deleted[0]?.title ?? '' })
          : t('order.deletedDone', { count: deleted.length })}
      </Box>
      <Button size="sm" variant="ghost" color="fg.accent" onClick={() => void restoreThreads(ids)}>
        {t('order.undo')}
      </Button>
    </Flex>
  );
}

/** Reads the trash again after deletions and restores, in this tab or in another one. */
function useTrashEvents(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: trashQuery.queryKey }), DEBOUNCE_MS);
    };
    const readIfShown = ({ threadId }: { threadId: number }) => {
      const shown = queryClient.getQueryData(trashQuery.queryKey);
      if (shown?.some(({ id }) => id === threadId)) read();
    };
    const stops = [onEvent('thread:deleted', read), onEvent('thread:changed', readIfShown)];
    return () => {
      clearTimeout(timer);
      stops.forEach((stop) => stop());
    };
  }, []);
}

/** Whether the deletion is recent. A clock that differs from the server's shortens or lengthens the offer within bounds. */
function useOffer(deleted: readonly Thread[], readAt: number): boolean {
  const [endedAt, setEndedAt] = useState(0);
  const until = Math.max(0, ...deleted.map(({ restorableUntil }) => Date.parse(restorableUntil ?? '')));
  useEffect(() => {
    if (until === 0) return;
    const timer = setTimeout(() => setEndedAt(until), Math.min(OFFER_MS, Math.max(1_000, until - Date.now())));
    return () => clearTimeout(timer);
  }, [until, readAt]);
  return until > 0 && endedAt !== until;
}
