import { Flex, Text } from '@chakra-ui/react';
import type { Thread } from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { QUERY_KEYS } from '../../../app/queries/query-keys';
import { threadQuery } from '../../../app/queries/threads.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { fail } from '../../../components/feedback/fail';
import { useThread } from '../shared/use-thread';

/** Above the composer of an archived chat: why the list does not have it, and the way back. */
export function ArchivedNote({ threadId }: { threadId: number }) {
  const isArchived = useThread(threadId)?.isArchived ?? false;
  const unarchive = useSingleFlightMutation({
    mutationFn: () => api.patch<Thread>(`/api/chat/threads/${threadId}`, { isArchived: false }),
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: ['threads', 'archived'] });
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
      await queryClient.invalidateQueries({ queryKey: threadQuery(threadId).queryKey });
    },
    onError: fail('order.failed'),
  });
  if (!isArchived) return null;
  return (
    <Flex role="note" align="center" gap="3" px="3" py="1" mb="2" bg="bg.muted" borderRadius="l2" textStyle="sm">
      <Text flex="1" color="fg.muted">
        {t('order.archivedNote')}
      </Text>
      <LoadingButton variant="ghost" size="sm" loading={unarchive.isPending} onClick={() => unarchive.mutate()}>
        {t('order.unarchive')}
      </LoadingButton>
    </Flex>
  );
}
