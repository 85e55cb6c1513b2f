import { createFileRoute, useMatch, useParams } from '@tanstack/react-router';
import { defaultModelQuery, modelsQuery } from '../app/queries/models.query';
import { queryClient } from '../app/queries/query-client';
import { quotaQuery } from '../app/queries/user.query';
import { useChatPageKey } from '../app/state/conversation';
import { ChatPage } from '../features/chat/conversation/chat-page';
import { Ideas } from './-ideas';

/** Home and thread share one view, so that a new conversation stays mounted when it gets its URL. */
export const Route = createFileRoute('/_chat')({
  // Most visits start here, so the route is part of the entry chunk.
  codeSplitGroupings: [],
  // The reads run while the app prepares its first rendering.
  beforeLoad: () => {
    void queryClient.prefetchQuery(quotaQuery);
    void queryClient.prefetchQuery(modelsQuery);
    void queryClient.prefetchQuery(defaultModelQuery);
  },
  component: function ChatRoute() {
    const threadId = useParams({ strict: false }).id ?? null;
    // The project of a new chat, whose address is `/?project=12`.
    const projectId = useMatch({
      strict: false,
      select: ({ search }) => Number((search as { project?: unknown }).project) || undefined,
    });
    const key = useChatPageKey(threadId, projectId);
    return <ChatPage key={key} threadId={threadId} projectId={projectId} ideas={Ideas} />;
  },
});
