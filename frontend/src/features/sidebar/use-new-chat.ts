import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { beginConversation } from '../../app/state/conversation';
import { slideOut } from '../../app/state/sidebar';

export function useNewChat(): () => void {
  const router = useRouter();
  return useCallback(() => {
    slideOut();
    if (router.state.location.href === '/') beginConversation();
    // The chat that is left would take the text of the messages that were not sent.
    else void router.navigate({ to: '/' }).then(beginConversation);
  }, [router]);
}
