import { Flex } from '@chakra-ui/react';
import { filesOfContent, type MessageContent } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { TypedMarkdown } from '../../markdown/markdown';
import { MarkdownFrame } from '../../markdown/markdown-frame';
import { MessageFiles } from './message-files';
import { Bubble, TypedText } from './text-bubble';

const HAS_CODE_OR_LINK = /```|~~~|https?:\/\/|www\./i;

/** The user's message as it was typed, with its links and its code. */
export function UserBubble({ content, isPending }: { content: MessageContent; isPending?: boolean }) {
  const { text } = content;
  const hasFiles = filesOfContent(content).length > 0;
  return (
    <Flex direction="column" gap="2" align="flex-end" maxW={{ base: '92%', sm: '80%' }} opacity={isPending ? 0.75 : 1}>
      <MessageFiles content={content} />
      {(text || !hasFiles) && (
        <Bubble>
          {HAS_CODE_OR_LINK.test(text) ? (
            // The accent has too little contrast on a bubble.
            <MarkdownFrame css={{ '& a': { color: 'fg' } }}>
              <TypedMarkdown text={text} />
            </MarkdownFrame>
          ) : (
            <TypedText>{text || t('chat.noContent')}</TypedText>
          )}
        </Bubble>
      )}
    </Flex>
  );
}
