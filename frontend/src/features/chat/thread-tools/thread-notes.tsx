import { Flex } from '@chakra-ui/react';
import { formatDateTime } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { useThread } from '../shared/use-thread';
import { ArchivedNote } from './archived-note';

/** Above the composer: what is special about the chat. */
export default function ThreadNotes({ threadId }: { threadId: number }) {
  const expiresAt = useThread(threadId)?.expiresAt;
  return (
    <>
      <ArchivedNote threadId={threadId} />
      {expiresAt !== undefined && (
        <Flex role="note" px="3" py="1.5" mb="2" bg="bg.muted" color="fg.muted" borderRadius="l2" textStyle="sm">
          {t('temporary.note', { time: formatDateTime(new Date(expiresAt)) })}
        </Flex>
      )}
    </>
  );
}
