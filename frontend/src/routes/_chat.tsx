import { createFileRoute, useParams } from '@tanstack/react-router';
import { useConversationKey } from '../app/state/conversation';
import { usePageTitle } from '../components/layout/use-page-title';
import { ChatPage } from '../features/chat/conversation/chat-page';
import { IdeasPanel } from '../features/ideas/ideas-panel';

/** Home and thread share one view, so that a new conversation is not torn down when it gets its address. */
export const Route = createFileRoute('/_chat')({
  // Most visits begin here: fetched with the entry rather than after it.
  codeSplitGroupings: [],
  component: function ChatRoute() {
    usePageTitle();
    const threadId = useParams({ strict: false }).id ?? null;
    return <ChatPage key={useConversationKey(threadId)} threadId={threadId} ideas={IdeasPanel} />;
  },
});
