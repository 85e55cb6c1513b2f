import { Flex, Text } from '@chakra-ui/react';
import type { Thread } from '@tanya/contract';
import { MessageCircleDashed } from 'lucide-react';
import { api } from '../../../app/api/api-client';
import { formatDateTime } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { QUERY_KEYS } from '../../../app/queries/query-keys';
import { threadQuery } from '../../../app/queries/threads.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { fail } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { forgetTemporary } from '../client/conversation-thread-store';

/** In the header of a temporary chat: what it is. */
export const TemporaryMark = () => (
  <Flex align="center" gap="1.5" color="jade.fg" textStyle="sm" role="img" aria-label={t('temporary.mode')}>
    <MessageCircleDashed size={16} aria-hidden />
    <Text as="span" hideBelow="md" aria-hidden>
      {t('temporary.mode')}
    </Text>
  </Flex>
);

/** Above the composer of a temporary chat: until when it is there, and the button that makes it one like the others. */
export function TemporaryNote({ threadId, expiresAt }: { threadId: number; expiresAt: string }) {
  const keep = useSingleFlightMutation({
    mutationFn: () => api.patch<Thread>(`/api/chat/threads/${threadId}`, { temporary: false }),
    onSuccess: (kept) => {
      forgetTemporary(threadId);
      queryClient.setQueryData(threadQuery(threadId).queryKey, kept);
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
      notify({ title: t('temporary.kept'), kind: 'success' });
    },
    onError: fail('temporary.keepFailed'),
  });
  return (
    <Flex role="note" align="center" gap="3" px="3" py="1" mb="2" bg="bg.muted" borderRadius="l2" textStyle="sm">
      <Text flex="1" color="fg.muted">
        {t('temporary.note', { time: formatDateTime(new Date(expiresAt)) })}
      </Text>
      <LoadingButton
        variant="ghost"
        size="sm"
        title={t('temporary.keepHint')}
        loading={keep.isPending}
        onClick={() => keep.mutate()}
      >
        {t('temporary.keep')}
      </LoadingButton>
    </Flex>
  );
}
