import { Flex, Text } from '@chakra-ui/react';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { useThread } from '../shared/use-thread';
import { useArchive } from './use-archive';

/** Above the composer of an archived chat: why the list does not have it, and the way back. */
export function ArchivedNote({ threadId }: { threadId: number }) {
  const isArchived = useThread(threadId)?.isArchived ?? false;
  const archive = useArchive(threadId);
  if (!isArchived) return null;
  return (
    <Flex role="note" align="center" gap="3" px="3" py="1" mb="2" bg="bg.muted" borderRadius="l2" textStyle="sm">
      <Text flex="1" color="fg.muted">
        {t('order.archivedNote')}
      </Text>
      <LoadingButton variant="ghost" size="sm" loading={archive.isPending} onClick={() => archive.mutate(false)}>
        {t('order.unarchive')}
      </LoadingButton>
    </Flex>
  );
}
