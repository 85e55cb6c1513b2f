import { VisuallyHidden } from '@chakra-ui/react';
import { useAnnouncement } from './announcement-store';

/** Live region that announces the finished answers of this thread to screen readers. */
export function AnswerAnnouncer({ threadId }: { threadId: number | null }) {
  const { threadId: announcedThread, text } = useAnnouncement();
  return (
    <VisuallyHidden aria-live="polite" role="log">
      {announcedThread !== null && announcedThread === threadId ? text : ''}
    </VisuallyHidden>
  );
}
