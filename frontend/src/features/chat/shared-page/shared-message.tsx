import { Box, Text } from '@chakra-ui/react';
import { parseContent, type SharedMessage } from '@tanya/contract';
import { UserRound } from 'lucide-react';
import { memo } from 'react';
import { noticeText, sentenceOf } from '../../../app/i18n/error-sentence';
import { t } from '../../../app/i18n/translate';
import { MessageRow } from '../messages/message-row';
import { AnswerParts } from '../messages/parts/answer-parts';
import { StatusLine } from '../messages/status-line';
import { UserBubble } from '../messages/user-bubble';

/** One message of a shared conversation, without actions. */
export const SharedMessageView = memo(function SharedMessageView(props: { message: SharedMessage; scope: string }) {
  const { message } = props;
  return (
    // A long conversation is rendered as a whole; rows outside of the screen need no layout.
    <Box css={{ contentVisibility: 'auto', containIntrinsicSize: 'auto 160px' }}>
      {message.isUserMessage ? (
        <MessageRow from="user" label={t('sharedPage.userMessage')} avatar={<UserRound size={16} />}>
          <UserBubble content={parseContent(message.content)} />
        </MessageRow>
      ) : (
        <MessageRow from="ai">
          <SharedAnswer {...props} />
        </MessageRow>
      )}
    </Box>
  );
});

function SharedAnswer({ message, scope }: { message: SharedMessage; scope: string }) {
  const { status, error } = message;
  const notice = noticeText(message.notices, message.notice);
  return (
    <>
      <AnswerParts message={{ ...message, generationId: null }} scope={scope} />
      {notice && <StatusLine tone="quiet">{notice}</StatusLine>}
      {(status === 'stopped' || status === 'interrupted') && <Text color="fg.muted">{t('sharedPage.unfinished')}</Text>}
      {status === 'error' && (
        <StatusLine tone="quiet">{error ? sentenceOf(error) : t('sharedPage.failedAnswer')}</StatusLine>
      )}
    </>
  );
}
