import { createFileRoute, notFound } from '@tanstack/react-router';
import { preloadMessages } from '../features/chat/conversation/chat-page';

export const Route = createFileRoute('/_chat/chat/$id')({
  params: {
    parse: ({ id }) => {
      if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound();
      return { id: Number(id) };
    },
    stringify: ({ id }) => ({ id: String(id) }),
  },
  // The code loads while the app prepares its first rendering.
  beforeLoad: preloadMessages,
});
