import { Box, Text } from '@chakra-ui/react';
import { parseContent, type SharedMessage } from '@tanya/contract';
import { UserRound } from 'lucide-react';
import { memo } from 'react';
import { noticeText, sentenceOf } from '../../../app/i18n/error-sentence';
import { t } from '../../../app/i18n/translate';
import { CopyButton } from '../../../components/buttons/copy-button';
import { MessageActions } from '../messages/actions/message-actions';
import { MessageRow } from '../messages/message-row';
import { parseAnswer } from '../messages/parts/answer-content';
import { AnswerParts } from '../messages/parts/answer-parts';
import { StatusLine } from '../messages/status-line';
import { UserBubble } from '../messages/user-bubble';

/** One message of a shared conversation, which can be copied. */
export const SharedMessageView = memo(function SharedMessageView(props: { message: SharedMessage; scope: string }) {
  const { message } = props;
  return (
    // A long conversation is rendered as a whole; rows outside of the screen need no layout.
    <Box css={{ contentVisibility: 'auto', containIntrinsicSize: 'auto 160px' }}>
      {message.isUserMessage ? (
        <SharedQuestion message={message} />
      ) : (
        <MessageRow from="ai" footer={<CopyAction text={parseAnswer(message).text} />}>
          <SharedAnswer {...props} />
        </MessageRow>
      )}
    </Box>
  );
});

function SharedQuestion({ message }: { message: SharedMessage }) {
  const content = parseContent(message.content);
  return (
    <MessageRow
      from="user"
      label={t('sharedPage.userMessage')}
      avatar={<UserRound size={16} />}
      footer={<CopyAction text={content.text} />}
    >
      <UserBubble content={content} />
    </MessageRow>
  );
}

const CopyAction = ({ text }: { text: string }) =>
  text !== '' && (
    <MessageActions>
      <CopyButton label={t('message.copy')} text={() => text} />
    </MessageActions>
  );

function SharedAnswer({ message, scope }: { message: SharedMessage; scope: string }) {
  const { status, error } = message;
  const notice = noticeText(message.notices, message.notice);
  return (
    <>
      <AnswerParts message={{ ...message, generationId: null }} scope={scope} />
      {notice && <StatusLine tone="quiet">{notice}</StatusLine>}
      {(status === 'stopped' || status === 'interrupted') && <Text color="fg.muted">{t('sharedPage.unfinished')}</Text>}
      {status === 'error' && <StatusLine tone="quiet">{error ? sentenceOf(error) : t('message.failed')}</StatusLine>}
    </>
  );
}
