import { Flex } from '@chakra-ui/react';
import { ThreadExport } from './thread-export';
import { ThreadFind } from './thread-find';

/** What can be done with the conversation as a whole. */
export default function ThreadTools({ threadId }: { threadId: number }) {
  return (
    <Flex>
      <ThreadFind threadId={threadId} />
      <ThreadExport threadId={threadId} />
    </Flex>
  );
}
