import { createFileRoute, useParams } from '@tanstack/react-router';
import { useConversationKey } from '../app/state/conversation';
import { usePageTitle } from '../components/layout/use-page-title';
import { ChatPage } from '../features/chat/conversation/chat-page';
import { IdeasPanel } from '../features/ideas/ideas-panel';

/** Home and thread share one view, so that a new conversation stays mounted when it gets its URL. */
export const Route = createFileRoute('/_chat')({
  // Most visits start here, so the route is part of the entry chunk.
  codeSplitGroupings: [],
  component: function ChatRoute() {
    usePageTitle();
    const threadId = useParams({ strict: false }).id ?? null;
    return <ChatPage key={useConversationKey(threadId)} threadId={threadId} ideas={IdeasPanel} />;
  },
});
