import { Flex } from '@chakra-ui/react';
import { ThreadExport } from './thread-export';
import { ThreadFind } from './thread-find';

/** The tools of a whole conversation: search and export. */
export default function ThreadTools({ threadId }: { threadId: number }) {
  return (
    <Flex>
      <ThreadFind threadId={threadId} />
      <ThreadExport threadId={threadId} />
    </Flex>
  );
}
