import { Box, Flex } from '@chakra-ui/react';
import { MessageRow } from './message-row';
import { Bubble, TypedText } from './text-bubble';
import { Thinking } from './thinking';

/** The first message and the placeholder of its answer, while the code of the message list loads. */
export function FirstTurn({ text }: { text: string }) {
  return (
    <Box height="100%" overflowY="auto" pt="6" className="conversation">
      <MessageRow from="user">
        <Flex maxW={{ base: '92%', sm: '80%' }}>
          <Bubble>
            <TypedText>{text}</TypedText>
          </Bubble>
        </Flex>
      </MessageRow>
      <MessageRow from="ai">
        <Thinking />
      </MessageRow>
    </Box>
  );
}
