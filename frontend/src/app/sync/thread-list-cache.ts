import { queryClient } from '../queries/query-client';
import { type ThreadPages, withoutStreaming, withoutThread } from '../queries/thread-list';
import { threadMessagesQuery } from '../queries/threads.query';
import { forgetThread } from '../state/thread-activity';

/** Removes a deleted thread from every cached list. A screen that shows the thread decides where to navigate. */
export function dropThread(threadId: number): void {
  queryClient.setQueriesData<ThreadPages>({ queryKey: ['threads', 'list'] }, (pages) =>
    pages ? withoutThread(pages, threadId) : pages,
  );
  queryClient.removeQueries({ queryKey: threadMessagesQuery(threadId).queryKey });
  forgetThread(threadId);
}

/** Clears the streaming mark in lists that were read while the answer was being written. */
export function clearStreaming(threadId: number): void {
  queryClient.setQueriesData<ThreadPages>({ queryKey: ['threads', 'list'] }, (pages) =>
    pages ? withoutStreaming(pages, threadId) : pages,
  );
}
