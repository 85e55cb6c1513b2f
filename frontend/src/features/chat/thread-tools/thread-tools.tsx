import { Flex, Heading } from '@chakra-ui/react';
import { NARROW } from '../../../app/browser/media-queries';
import { useCanShare } from '../../../app/queries/use-can-share';
import { useMediaQuery } from '../../../components/hooks/use-media-query';
import { usePageTitle } from '../../../components/layout/use-page-title';
import { UntitledHeading } from '../shared/untitled-heading';
import { useThread } from '../shared/use-thread';
import { ThreadExport } from './thread-export';
import { ThreadFind } from './thread-find';
import { useMessageTargetOf } from './use-message-target';
import { Share2 } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { openShareDialog } from '../../../app/state/dialogs';
import { DialogButton } from './dialog-button';

/** Button that opens the dialog for a share link of the thread. */
const ThreadShare = ({ threadId }: { threadId: number }) => (
  <DialogButton label={t('shareDialog.title')} icon={<Share2 size={16} />} onOpen={() => openShareDialog(threadId)} />
);

/** The title of a conversation and the tools of all of it: search, share and export. */
export default function ThreadTools({ threadId }: { threadId: number }) {
  const title = useThread(threadId)?.title ?? null;
  usePageTitle(title);
  useMessageTargetOf(threadId);
  const isNarrow = useMediaQuery(NARROW);
  const canShare = useCanShare();
  return (
    <>
      {title === null ? (
        <UntitledHeading />
      ) : (
        <Heading
          as="h1"
          dir="auto"
          flex="1"
          minW="0"
          truncate
          textAlign="center"
          textStyle="sm"
          fontWeight="medium"
          color="fg.muted"
          title={title}
        >
          {title}
        </Heading>
      )}
      <Flex flexShrink={0}>
        <ThreadFind threadId={threadId} />
        {canShare && !isNarrow && <ThreadShare threadId={threadId} />}
        <ThreadExport threadId={threadId} canShare={canShare && isNarrow} />
      </Flex>
    </>
  );
}
