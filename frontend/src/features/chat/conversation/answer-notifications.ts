import { markTitle } from '../../../app/browser/page-title';
import { onAnswerFinished } from '../client/chat-client-singleton';
import { announceAnswer } from '../messages/announcements/announcement-store';

/** Notifies the user of each finished answer: announces it to screen readers and marks the title of a hidden tab. */
export function startAnswerNotifications(): void {
  onAnswerFinished((message) => {
    void announceAnswer(message);
    markTitle();
  });
}
