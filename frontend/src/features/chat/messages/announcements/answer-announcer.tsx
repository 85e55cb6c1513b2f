import { VisuallyHidden } from '@chakra-ui/react';
import type { ConversationKey } from '../../client/outbox-store';
import { useAnnouncement } from './announcement-store';

/** Live region that announces the finished answers and refused sends of this conversation to screen readers. */
export function AnswerAnnouncer({ conversation }: { conversation: ConversationKey }) {
  const announced = useAnnouncement();
  return (
    <VisuallyHidden aria-live="polite" role="log">
      {announced.conversation === conversation ? announced.text : ''}
    </VisuallyHidden>
  );
}
