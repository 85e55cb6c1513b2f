import { DEFAULT_CONTEXT_LENGTH, type Message, type MessageContent, parseContent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { FilesService } from '../../files/files.service.js';
import type { Owner } from '../../platform/session/identity.js';
import { SettingsService } from '../../settings/settings.service.js';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-view.js';
import { buildPrompt, leastTokens, type Prompt, type PromptTurn } from './prompt.js';

/** Turns looked at for a prompt; far more than fits most models, and a bound for threads without one. */
const PROMPT_TURNS = 400;

/** Files are read for a prompt until they make so many characters, the newest first; those of the newest message always. */
const ATTACHED = 32 * 1024 * 1024;

const promptText = (row: MessageRow, { text, imageUrl }: MessageContent): string =>
  !row.is_user_message && imageUrl ? `[An image was drawn: ${text}]` : text;

/** The path from a message to its root, newest first. $1 the message, $2 how many. */
const PATH = `with recursive path as (
  select m.*, 1 as depth from message m where m.id = $1::bigint
  union all
  select m.*, path.depth + 1 from message m join path on m.id = path.parent_id where path.depth < $2::int
) select ${messageColumns('path')} from path order by depth`;

/** Walks down from a message to the newest end of its branch. */
const LEAF = `with recursive down as (
  select id from message where id = $1::bigint
  union all
  select (select max(c.id) from message c where c.parent_id = down.id) from down where down.id is not null
) select max(id) as id from down`;

/** Reads conversations: a thread is a tree of messages, and what is shown is the path that ends at its active leaf. */
@Injectable()
export class ConversationService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly files: FilesService,
    private readonly settings: SettingsService,
  ) {}

  /**
   * One page of the shown path, oldest first.
   * @param before a message of the path: the page ends before it
   * @returns nextCursor: the `before` of the page above, null at the beginning
   */
  async page(
    thread: { id: number; activeLeafId: number | null },
    page: { limit: number; before: number | null },
  ): Promise<{ messages: Message[]; nextCursor: number | null }> {
    const end = page.before === null ? thread.activeLeafId : await this.parentOf(thread.id, page.before);
    if (end === null) return { messages: [], nextCursor: null };
    const rows = (await this.path(end, page.limit + 1)).filter((row) => row.thread_id === thread.id);
    const shown = rows.slice(0, page.limit).toReversed();
    await this.fillRunning(shown);
    const siblings = await this.siblings(thread.id, shown);
    return {
      messages: shown.map((row) => toMessage(row, siblings.get(row.parent_id))),
      nextCursor: rows.length > page.limit ? (shown[0]?.id ?? null) : null,
    };
  }

  /** The newest end below a message of this thread; null when it is not of this thread. */
  async leafBelow(threadId: number, messageId: number): Promise<number | null> {
    const known = await this.dataSource.query<unknown[]>('select 1 from message where id = $1 and thread_id = $2', [
      messageId,
      threadId,
    ]);
    if (known.length === 0) return null;
    const [row] = await this.dataSource.query<[{ id: number }]>(LEAF, [messageId]);
    return row.id;
  }

  /** What the model gets to read for the answer to a user message. */
  async prompt(owner: Owner, userMessageId: number, contextLength: number | null, shrink: boolean): Promise<Prompt> {
    const rows = await this.path(userMessageId, PROMPT_TURNS);
    const turns: PromptTurn[] = [];
    let room = contextLength ?? DEFAULT_CONTEXT_LENGTH;
    let [attached, unread] = [0, 0];
    for (const row of rows) {
      if (!row.is_user_message && row.content === '') continue;
      const content = parseContent(row.content);
      const turn: PromptTurn = { role: row.is_user_message ? 'user' : 'assistant', text: promptText(row, content) };
      turns.push(turn);
      room -= leastTokens(turn.text, [content.imageData, content.audioData].filter(Boolean).length);
      const urls = row.is_user_message
        ? [content.imageData, content.audioData, content.fileUrl].filter((url) => url !== undefined)
        : [];
      // What can't fit any more is not loaded: a long conversation may hold more files than memory.
      if (urls.length === 0 || (room < 0 && turns.length > 1)) continue;
      if (attached < ATTACHED) attached += await this.addFiles(turn, owner, urls);
      else unread += urls.length;
    }
    const prompt = buildPrompt(this.settings.get().systemPrompt, turns.toReversed(), contextLength, shrink);
    if (unread === 0) return prompt;
    return { ...prompt, notice: [prompt.notice, 'Earlier attachments were left out.'].filter(Boolean).join(' ') };
  }

  /** @returns how many characters that makes */
  private async addFiles(turn: PromptTurn, owner: Owner, urls: string[]): Promise<number> {
    let size = 0;
    for (const url of urls) {
      const file = await this.files.forModel(owner, url);
      if (file === null) continue;
      if (file.kind === 'document') {
        turn.documents = [...(turn.documents ?? []), { name: file.name, text: file.text }];
        size += file.text.length;
      } else {
        turn.media = [...(turn.media ?? []), { type: file.kind, dataUrl: file.dataUrl }];
        size += file.dataUrl.length;
      }
    }
    return size;
  }

  private path(messageId: number, limit: number): Promise<MessageRow[]> {
    return this.dataSource.query<MessageRow[]>(PATH, [messageId, limit]);
  }

  private async parentOf(threadId: number, messageId: number): Promise<number | null> {
    const rows = await this.dataSource.query<{ parent_id: number | null }[]>(
      'select parent_id from message where id = $1 and thread_id = $2',
      [messageId, threadId],
    );
    return rows[0]?.parent_id ?? null;
  }

  /** The text so far of answers that are still being written. */
  private async fillRunning(rows: MessageRow[]): Promise<void> {
    for (const row of rows.filter(({ status }) => status === 'streaming')) {
      const [chunks] = await this.dataSource.query<[{ text: string; reasoning: string }]>(
        `select coalesce(string_agg(text, '' order by seq), '') as text, coalesce(string_agg(reasoning, '' order by seq), '') as reasoning
         from generation_chunk where generation_id = $1`,
        [row.generation_id],
      );
      row.content = chunks.text;
      row.reasoning = chunks.reasoning || null;
    }
  }

  private async siblings(threadId: number, rows: MessageRow[]): Promise<Map<number | null, number[]>> {
    const parents = rows.flatMap((row) => row.parent_id ?? []);
    const found = await this.dataSource.query<{ id: number; parent_id: number | null }[]>(
      `select id, parent_id from message where parent_id = any($1::bigint[])
       union all select id, parent_id from message where thread_id = $2 and parent_id is null and $3
       order by id`,
      [parents, threadId, rows.some((row) => row.parent_id === null)],
    );
    const byParent = new Map<number | null, number[]>();
    for (const { id, parent_id } of found) byParent.set(parent_id, [...(byParent.get(parent_id) ?? []), id]);
    return byParent;
  }
}
