import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { beginConversation } from '../../app/state/conversation';
import { slideOut } from '../../app/state/sidebar';

export function useNewChat(): () => void {
  const router = useRouter();
  return useCallback(() => {
    slideOut();
    // The chat that is left would take the text of the messages that were not sent. A form that is not saved keeps its page,
    // and the promise then resolves at the next way to another one.
    void router.navigate({ to: '/' }).then(() => {
      if (router.state.location.href === '/') beginConversation();
    });
  }, [router]);
}
