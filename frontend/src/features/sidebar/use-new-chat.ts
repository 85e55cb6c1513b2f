import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { beginConversation } from '../../app/state/conversation';
import { slideOut } from '../../app/state/sidebar';

export function useNewChat(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    beginConversation();
    slideOut();
    void navigate({ to: '/' });
  }, [navigate]);
}
