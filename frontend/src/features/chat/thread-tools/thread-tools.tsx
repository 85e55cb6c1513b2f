import { Flex, Heading } from '@chakra-ui/react';
import { usePageTitle } from '../../../components/layout/use-page-title';
import { UntitledHeading } from '../shared/untitled-heading';
import { useThread } from '../shared/use-thread';
import { ThreadExport } from './thread-export';
import { ThreadFind } from './thread-find';
import { useMessageTargetOf } from './use-message-target';

/** The title of a conversation and the tools of all of it: search and export. */
export default function ThreadTools({ threadId }: { threadId: number }) {
  const title = useThread(threadId)?.title ?? null;
  usePageTitle(title);
  useMessageTargetOf(threadId);
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
        <ThreadExport threadId={threadId} />
      </Flex>
    </>
  );
}
