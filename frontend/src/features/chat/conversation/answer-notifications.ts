import { markTitle } from '../../../app/browser/page-title';
import { onAnswerFinished } from '../client/chat-client-singleton';

/** Marks the title of a hidden tab at each finished answer. */
export function startAnswerNotifications(): void {
  onAnswerFinished(markTitle);
}
