import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { beginConversation } from '../../app/state/conversation';
import { slideOut } from '../../app/state/sidebar';

/** Returns the action of New chat: an empty conversation on the home page. */
export function useNewChat(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    beginConversation();
    slideOut();
    void navigate({ to: '/' });
  }, [navigate]);
}
