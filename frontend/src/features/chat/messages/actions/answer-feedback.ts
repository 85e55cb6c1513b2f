import type { FeedbackRequest, Message, MessageFeedback, Rating } from '@tanya/contract';
import { useState } from 'react';
import { api } from '../../../../app/api/api-client';
import { onEvent } from '../../../../app/socket/socket';
import { showFailure } from '../../../../components/feedback/fail';
import { threadCache } from '../../client/chat-client-singleton';

// The owner rated an answer in another tab.
onEvent('message:rated', ({ threadId, messageId, feedback }) => write(threadId, messageId, feedback));

function write(threadId: number, messageId: number, feedback: MessageFeedback | null): void {
  const message = threadCache.message(threadId, messageId);
  if (!message) return;
  const { feedback: _before, ...rest } = message;
  threadCache.replaceMessage(feedback ? { ...rest, feedback } : rest);
}

/** Shows a change of the rating at once, and takes it back when the server refuses it. */
async function change(message: Message, feedback: FeedbackRequest | null): Promise<void> {
  const { id, threadId, feedback: before = null } = message;
  const path = `/api/chat/messages/${id}/feedback`;
  write(threadId, id, feedback && { rating: feedback.rating, reason: feedback.reason ?? null });
  try {
    if (feedback) await api.put(path, feedback);
    else await api.delete(path);
  } catch (error) {
    write(threadId, id, before);
    showFailure('feedback.failed', error);
  }
}

/** The rating of an answer. Changes run one after another, so that the last one wins. */
export function useFeedback(message: Message) {
  const [running, setRunning] = useState<Promise<void>>(Promise.resolve());
  const queue = (feedback: FeedbackRequest | null) => setRunning(running.then(() => change(message, feedback)));
  const current = message.feedback ?? null;
  return {
    feedback: current,
    /** Rates the answer; the same rating again removes it. */
    toggle: (rating: Rating) => queue(current?.rating === rating ? null : { rating }),
    setReason: (reason: string) => current && queue({ rating: current.rating, ...(reason && { reason }) }),
    remove: () => queue(null),
  };
}
