import { filesOfContent, LIMITS, parseContent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { AttachedFiles } from '../../files/attached-files.js';
import type { Owner } from '../../identity/identity.js';
import type { ChatModel } from '../../models/models.service.js';
import {
  CHARACTERS_PER_TOKEN,
  estimateTokens,
  MEDIA_TOKENS,
  MESSAGE_OVERHEAD,
} from '../../providers/token-estimate.js';
import { SettingsService } from '../../settings/settings.service.js';
import type { Tool } from '../../tools/tool.js';
import { MessageStore, type PathSize } from '../messages/message-store.js';
import type { MessageTarget } from './admission/generation-admission.js';
import { largestRoom, readsImages } from './prompt/prompt.js';

/** Messages of a path that the estimate reads. */
const MAX_MESSAGES = 400;

const EMPTY_PATH: PathSize = { characters: 0, messages: 0 };

/** Estimates the tokens of a prompt before its message is stored. Of documents, the pages that go as pictures are counted. */
@Injectable()
export class PromptEstimate {
  constructor(
    private readonly messages: MessageStore,
    private readonly settings: SettingsService,
    private readonly files: AttachedFiles,
  ) {}

  /** At most two queries, and none for a new thread without documents. */
  async tokens(
    owner: Owner,
    target: MessageTarget,
    model: Pick<ChatModel, 'contextLength' | 'vision' | 'isImage'>,
    tools: readonly Tool[],
  ): Promise<number> {
    const { contextLength } = model;
    const takesImages = readsImages(model);
    const path = await this.sizeOfPath(owner, target);
    const pages = takesImages ? await this.pagesOf(owner, target) : 0;
    const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const tokens =
      estimateTokens(this.settings.get().systemPrompt) +
      MESSAGE_OVERHEAD +
      (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(definitions))) +
      Math.ceil(path.characters / CHARACTERS_PER_TOKEN) +
      path.messages * MESSAGE_OVERHEAD +
      pages * MEDIA_TOKENS +
      ('content' in target ? contentTokens(target.content) : 0);
    return Math.min(tokens, largestRoom({ contextLength, shrink: false, takesImages }));
  }

  /** The pages that go as pictures, those of the thread's earlier messages included. */
  private async pagesOf(owner: Owner, target: MessageTarget): Promise<number> {
    const added = 'content' in target ? await this.files.picturesIn(owner, parseContent(target.content)) : 0;
    const earlier = 'threadId' in target ? await this.files.picturesOfThread(owner, target.threadId) : 0;
    return Math.min(added, LIMITS.pagePictures) + earlier;
  }

  private async sizeOfPath(owner: Owner, target: MessageTarget): Promise<PathSize> {
    if (target.kind === 'new-thread' || ('parentId' in target && target.parentId === null)) return EMPTY_PATH;
    const last = target.kind === 'regenerate' ? target.userMessageId : (target.parentId ?? null);
    return this.messages.sizeOfPath(owner, target.threadId, last, MAX_MESSAGES);
  }
}

function contentTokens(stored: string): number {
  const content = parseContent(stored);
  const media = filesOfContent(content).filter(({ kind }) => kind !== 'document');
  return estimateTokens(content.text) + media.length * MEDIA_TOKENS + MESSAGE_OVERHEAD;
}
