import { Button, type ButtonProps, Center, Flex, Heading, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isComposing } from '../../../app/browser/is-composing';
import { OPEN_OVERLAY } from '../../../app/browser/open-overlay';
import { settingText } from '../../../app/language/setting-text';
import { t } from '../../../app/i18n/translate';
import { runCommand } from '../../../app/state/commands';
import { beginConversation } from '../../../app/state/conversation';
import { openDialog } from '../../../app/state/dialogs';
import { useThreadSummary } from '../../../app/queries/summary.query';
import { settingsQuery } from '../../../app/queries/settings.query';
import { startAnnouncements } from '../messages/announcements/start-announcements';
import { followModelNames } from '../shared/model-names';
import type { ConversationItem } from '../messages/conversation-view';
import { MessageList } from '../messages/message-list';
import { useThread } from '../shared/use-thread';
import { PreviewHost } from './preview-host';
import { PrintedConversation } from './printed-conversation';
import { restoreUnsentMessages } from './unsent-messages';
import type { LoadedMessages } from '../messages/use-messages';

// Started with the code that shows messages, because the first screen has no room for them.
restoreUnsentMessages();
startAnnouncements();
followModelNames();

interface ConversationProps {
  items: ConversationItem[];
  loaded: LoadedMessages;
}

/** The messages of a conversation, or the reason why none are shown. */
export default function Conversation({ items, loaded }: ConversationProps) {
  useStopOnEscape();
  const threadId = items.find((item) => item.kind === 'message')?.message.threadId ?? null;
  const summary = useThreadSummary(useThread(threadId));
  if (loaded.failed) return <LoadFailure onRetry={loaded.retry} />;
  if (loaded.needsLogin) return <LoggedOut />;
  if (items.length === 0) return <EmptyThread />;
  return (
    <PreviewHost>
      <MessageList
        items={items}
        loaded={loaded}
        summary={threadId === null || summary === null ? null : { threadId, summary }}
      />
      <PrintedConversation items={items} />
    </PreviewHost>
  );
}

/** Escape stops the running answer, unless it closes something or belongs to a field other than the composer. */
function useStopOnEscape(): void {
  useEffect(() => {
    const handleKey = (event: globalThis.KeyboardEvent) => {
      const { key, shiftKey, ctrlKey, altKey, metaKey, target, defaultPrevented } = event;
      if (key !== 'Escape' || shiftKey || ctrlKey || altKey || metaKey || defaultPrevented || isComposing(event))
        return;
      const isElsewhere =
        target instanceof Element && target.closest('input, select, article textarea, [role=dialog], [role=menu]');
      if (!isElsewhere && !document.querySelector(OPEN_OVERLAY)) runCommand('stop');
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);
}

function EmptyThread() {
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Center height="100%" px="4" color="fg.muted" textAlign="center">
      <Text>{settingText('emptyThreadMessage', settings)}</Text>
    </Center>
  );
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Center height="100%" px="4">
      <Stack role="alert" align="center" gap="2" textAlign="center">
        <Heading as="h1" textStyle="lg">
          {t('chat.loadError')}
        </Heading>
        <Text color="fg.muted">{t('chat.loadErrorHint')}</Text>
        <Flex gap="2" mt="3" wrap="wrap" justify="center">
          <Button variant="outline" onClick={onRetry}>
            {t('settings.tryAgain')}
          </Button>
          <NewChatLink colorPalette="jade" />
        </Flex>
      </Stack>
    </Center>
  );
}

function NewChatLink(props: ButtonProps) {
  return (
    <Button asChild {...props}>
      <Link to="/" onClick={beginConversation}>
        {t('chat.startNewChat')}
      </Link>
    </Button>
  );
}

/** Replaces a thread that needs a login. The address stays for the time after it. */
function LoggedOut() {
  return (
    <Center height="100%" px="4">
      <Stack align="center" gap="2" textAlign="center">
        <Heading as="h1" textStyle="lg">
          {t('message.loggedOut')}
        </Heading>
        <Text color="fg.muted">{t('message.loggedOutHint')}</Text>
        <Flex gap="2" mt="3" wrap="wrap" justify="center">
          <Button colorPalette="jade" onClick={() => openDialog('login')}>
            {t('sidebar.login')}
          </Button>
          <NewChatLink variant="outline" />
        </Flex>
      </Stack>
    </Center>
  );
}
