import { DEFAULT_CONTEXT_LENGTH, type Message, type MessageContent, parseContent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { FilesService } from '../../../files/files.service.js';
import type { Owner } from '../../../identity/identity.js';
import { SettingsService } from '../../../settings/settings.service.js';
import { MessageStore } from '../../messages/message-store.js';
import { partsOf } from '../../messages/stored-parts.js';
import { buildPrompt, minimumTokens, type Prompt, type PromptTurn } from './prompt.js';

/** Maximum of turns that are read for a prompt: more than fits most models, and a bound for very long threads. */
const MAX_TURNS = 400;

/** Characters of attached files that are loaded, newest first. Files of the newest message are always loaded. */
const MAX_FILE_CHARACTERS = 32 * 1024 * 1024;

const ATTACHMENTS_NOTICE = 'Earlier attachments were left out.';

type PathMessage = Pick<Message, 'content' | 'isUserMessage' | 'parts'>;

/** The user message that a prompt ends with. */
type PromptEnd = PathMessage & Pick<Message, 'id' | 'parentId'>;

/** Loads the path of a user message with its files and builds the prompt. */
@Injectable()
export class PromptSource {
  constructor(
    private readonly messages: MessageStore,
    private readonly files: FilesService,
    private readonly settings: SettingsService,
  ) {}

  /**
   * @param contextLength of the model in tokens; null when unknown
   * @param shrink halves the context, after the provider refused the length
   */
  async load(owner: Owner, userMessage: PromptEnd, contextLength: number | null, shrink: boolean): Promise<Prompt> {
    const rows = await this.pathOf(userMessage);
    const turns: PromptTurn[] = [];
    let room = contextLength ?? DEFAULT_CONTEXT_LENGTH;
    let [loaded, skipped] = [0, 0];
    for (const row of rows) {
      const parts = row.parts?.some(({ type }) => type === 'tool') ? row.parts : undefined;
      if (!row.isUserMessage && row.content === '' && parts === undefined) continue;
      const content = parseContent(row.content);
      const turn: PromptTurn = {
        role: row.isUserMessage ? 'user' : 'assistant',
        text: promptText(row, content),
        parts,
      };
      turns.push(turn);
      room -= minimumTokens(turn.text, [content.imageData, content.audioData].filter(Boolean).length);
      const urls = row.isUserMessage
        ? [content.imageData, content.audioData, content.fileUrl].filter((url) => url !== undefined)
        : [];
      // Files of turns that cannot fit stay unread: a long thread may have more files than memory holds.
      if (urls.length === 0 || (room < 0 && turns.length > 1)) continue;
      if (loaded < MAX_FILE_CHARACTERS) loaded += await this.addFiles(turn, owner, urls);
      else skipped += urls.length;
    }
    const prompt = buildPrompt(this.settings.get().systemPrompt, turns.toReversed(), contextLength, shrink);
    if (skipped === 0) return prompt;
    return {
      ...prompt,
      notice: [prompt.notice, ATTACHMENTS_NOTICE].filter(Boolean).join(' '),
      notices: [...prompt.notices, { code: 'attachments_left_out' }],
    };
  }

  /** The path of a message, newest first. The first message of a thread is its own path. */
  private async pathOf(message: PromptEnd): Promise<PathMessage[]> {
    if (message.parentId === null) return [message];
    const rows = await this.messages.path(message.id, MAX_TURNS);
    return rows.map((row) => ({
      content: row.content,
      isUserMessage: row.is_user_message,
      ...(row.is_user_message ? {} : { parts: partsOf(row) }),
    }));
  }

  /** @returns the number of characters added to the turn */
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
}

const promptText = (row: PathMessage, { text, imageUrl }: MessageContent): string =>
  !row.isUserMessage && imageUrl ? `[An image was drawn: ${text}]` : text;
