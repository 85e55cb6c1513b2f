import { createFileRoute, notFound } from '@tanstack/react-router';
import { ChatPage } from '../features/chat/chat-page';

export const Route = createFileRoute('/chat/$id')({
  params: {
    parse: ({ id }) => {
      if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound();
      return { id: Number(id) };
    },
    stringify: ({ id }) => ({ id: String(id) }),
  },
  component: function ChatRoute() {
    return <ChatPage threadId={Route.useParams().id} />;
  },
});
