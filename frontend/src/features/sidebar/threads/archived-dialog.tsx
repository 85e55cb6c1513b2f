import { Box, Button, Flex, IconButton, Spinner, Stack, Text } from '@chakra-ui/react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Thread } from '@tanya/contract';
import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { QUERY_KEYS } from '../../../app/queries/query-keys';
import { slideOut } from '../../../app/state/sidebar';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog';
import { Modal } from '../../../components/dialogs/modal';
import { LoadError } from '../../../components/feedback/load-error';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { useBatch } from './thread-batch';

const archivedQuery = infiniteQueryOptions({
  queryKey: QUERY_KEYS.archivedThreads,
  queryFn: ({ pageParam, signal }) => {
    const search = new URLSearchParams({ state: 'archived', ...(pageParam && { before: pageParam }) });
    return api.getPage<Thread>(`/api/chat/threads?${search}`, signal);
  },
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
});

/** The archive: opens, restores and deletes the threads in it. */
export default function ArchivedDialog({ onClose }: { onClose: () => void }) {
  const list = useInfiniteQuery(archivedQuery);
  const threads = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const focusRef = useFocusRecovery();
  return (
    <Modal title={t('navigation.archived')} size="md" onClose={onClose}>
      <Box ref={focusRef} minH="8rem">
        {list.isPending && <Spinner role="status" aria-label={t('navigation.loadingChats')} />}
        {list.isError && <LoadError message={t('threadList.failed')} onRetry={list.refetch} />}
        {list.isSuccess && threads.length === 0 && <Text color="fg.muted">{t('order.noArchived')}</Text>}
        <Stack as="ul" listStyleType="none" gap="0.5" aria-label={t('navigation.archived')}>
          {threads.map((thread) => (
            <ArchivedRow key={thread.id} thread={thread} onClose={onClose} />
          ))}
        </Stack>
        {list.hasNextPage && (
          <Button
            size="sm"
            variant="outline"
            mt="3"
            disabled={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('order.more')}
          </Button>
        )}
      </Box>
    </Modal>
  );
}

function ArchivedRow({ thread, onClose }: { thread: Thread; onClose: () => void }) {
  const [isConfirming, setConfirming] = useState(false);
  const batch = useBatch(() => setConfirming(false));
  const { id, title } = thread;
  const open = () => {
    slideOut();
    onClose();
  };
  return (
    <Flex as="li" align="center" gap="1">
      <Flex asChild flex="1" minW="0" align="center" px="2" minH="10" borderRadius="l2" focusVisibleRing="inside">
        <Link to="/chat/$id" params={{ id }} onClick={open} title={title}>
          <Box as="span" dir="auto" truncate>
            {title}
          </Box>
        </Link>
      </Flex>
      <IconButton
        variant="ghost"
        size="sm"
        aria-label={t('order.unarchiveNamed', { title })}
        title={t('order.unarchive')}
        disabled={batch.isPending}
        onClick={() => batch.run('unarchive', [id])}
      >
        <ArchiveRestore />
      </IconButton>
      <IconButton
        variant="ghost"
        size="sm"
        aria-label={t('order.deleteNamed', { title })}
        title={t('common.delete')}
        onClick={() => setConfirming(true)}
      >
        <Trash2 />
      </IconButton>
      {isConfirming && (
        <ConfirmDialog
          title={t('threadList.deleteTitle')}
          question={t('threadList.deleteQuestion', { title })}
          pending={batch.isPending}
          onConfirm={() => batch.run('delete', [id])}
          onClose={() => setConfirming(false)}
        />
      )}
    </Flex>
  );
}
