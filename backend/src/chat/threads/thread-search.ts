import type { SearchMatch, SearchResult } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { inSlices } from '../../platform/system/slices.js';
import { matchingLine, withoutMarks } from './matching-line.js';
import { searchText } from '../messages/message-content.js';
import { MessageStore, type SearchedPart } from '../messages/message-store.js';
import { type ThreadCursor, writeCursor } from './thread-cursor.js';
import { type FoundRow, ThreadList } from './thread-list.js';
import { toThread } from './thread-view.js';

@Injectable()
export class ThreadSearch {
  constructor(
    private readonly threads: ThreadList,
    private readonly messages: MessageStore,
  ) {}

  /** The threads that match, newest first, each with the line of its newest matching message. */
  async search(
    userId: number,
    query: string,
    page: { limit: number; before: ThreadCursor | null },
  ): Promise<{ results: SearchResult[]; nextCursor: string | null }> {
    const { rows, nextCursor } = await this.threads.search(userId, query, page);
    return { results: await this.withLines(rows, query), nextCursor: nextCursor && writeCursor(nextCursor) };
  }

  private async withLines(rows: FoundRow[], query: string): Promise<SearchResult[]> {
    const messages = await this.messages.searchedParts(rows.flatMap((row) => row.match_id ?? []));
    const results: SearchResult[] = [];
    const matches = rows.map((row) => ({
      row,
      message: row.match_id === null ? undefined : messages.get(row.match_id),
    }));
    for await (const { row, message } of inSlices(matches))
      results.push({ thread: toThread(row), match: message ? toMatch(message, query) : null });
    return results;
  }
}

function toMatch(message: SearchedPart, query: string): SearchMatch {
  const text = searchText(message.content);
  return {
    messageId: message.id,
    isUserMessage: message.is_user_message,
    createdAt: message.created_at.toISOString(),
    line: matchingLine(message.is_user_message ? text : withoutMarks(text), query),
  };
}
