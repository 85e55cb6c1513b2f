import { VisuallyHidden } from '@chakra-ui/react';
import { useAnnouncement } from '../client/announcement-store';

/** Reads a finished answer of this thread to those who listen. */
export function AnswerAnnouncer({ threadId }: { threadId: number | null }) {
  const { threadId: of, text } = useAnnouncement();
  return (
    <VisuallyHidden aria-live="polite" role="log">
      {of !== null && of === threadId ? text : ''}
    </VisuallyHidden>
  );
}
