import type { Translation } from '../catalogue';
import type spec from '../spec/start';

/** `en` lists the texts whose `spec` is not English; all others are those of `spec`. */
export default {
  defaults: {
    siteTitle: 'AI Assistant',
    welcomeMessage: 'Welcome to AI Assistant. What can I help you with?',
    emptyThreadMessage: 'There are no messages in this conversation yet.',
  },
  sidebar: { guestHistory: 'Log in to see your chat history' },
  chat: { upgrade: 'Upgrade to VIP' },
} as const satisfies Translation<typeof spec>;
