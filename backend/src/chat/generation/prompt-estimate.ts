import { DEFAULT_CONTEXT_LENGTH, filesOfContent, LIMITS, type MessageContent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AttachedFiles } from '../../files/attached-files.js';
import type { Owner } from '../../identity/identity.js';
import type { ChatModel } from '../../models/models.service.js';
import { ProjectKnowledge } from '../../projects/asking/project-knowledge.js';
import {
  CHARACTERS_PER_TOKEN,
  estimateTokens,
  MEDIA_TOKENS,
  MESSAGE_OVERHEAD,
} from '../../providers/token-estimate.js';
import { SettingsService } from '../../settings/settings.service.js';
import type { Tool } from '../../tools/tool.js';
import type { NewTurn } from './admission/admission-store.js';
import { type EarlierSize, selectEarlierSize } from './earlier-size.sql.js';
import { largestRoom, readsImages } from './prompt/prompt.js';
import { PATH_BOUNDS } from './prompt/prompt-source.js';
import { FILES_SHARE } from './prompt/project-text.js';
import { withModelPrompt } from './prompt/system-text.js';

const NOTHING: EarlierSize = { characters: 0, messages: 0, pictures: 0, projectId: null };

/** Estimates the tokens of a prompt before its message is stored. Of documents, the pages that go as pictures are counted. */
@Injectable()
export class PromptEstimate {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly settings: SettingsService,
    private readonly files: AttachedFiles,
    private readonly knowledge: ProjectKnowledge,
  ) {}

  /** One query for earlier messages, and one for files of the new one. */
  async tokens(
    owner: Owner,
    turn: NewTurn,
    model: Pick<ChatModel, 'contextLength' | 'vision' | 'kind' | 'systemPrompt'>,
    tools: readonly Tool[],
  ): Promise<number> {
    const { contextLength } = model;
    const takesImages = readsImages(model);
    const earlier = await this.earlierSize(owner, turn, takesImages);
    const pages = takesImages && 'content' in turn ? await this.pagesIn(owner, turn.content) : 0;
    const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const tokens =
      estimateTokens(withModelPrompt(this.settings.get().systemPrompt, model.systemPrompt)) +
      MESSAGE_OVERHEAD +
      (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(definitions))) +
      Math.ceil(earlier.characters / CHARACTERS_PER_TOKEN) +
      earlier.messages * MESSAGE_OVERHEAD +
      (earlier.pictures + pages) * MEDIA_TOKENS +
      (await this.projectTokens(turn, earlier, model, takesImages)) +
      ('content' in turn ? contentTokens(turn.content) : 0);
    return Math.min(tokens, largestRoom({ contextLength, shrink: false, takesImages }));
  }

  private projectTokens(
    turn: NewTurn,
    earlier: EarlierSize,
    { contextLength, kind }: Pick<ChatModel, 'contextLength' | 'kind'>,
    takesImages: boolean,
  ): Promise<number> | number {
    const projectId = turn.kind === 'new-thread' ? turn.projectId : earlier.projectId;
    if (projectId === null || kind === 'image') return 0;
    const tokens = Math.floor((contextLength ?? DEFAULT_CONTEXT_LENGTH) * FILES_SHARE);
    return this.knowledge.tokensOf(projectId, tokens, takesImages);
  }

  private async pagesIn(owner: Owner, content: MessageContent): Promise<number> {
    return Math.min(await this.files.picturesIn(owner, content), LIMITS.pagePictures);
  }

  private async earlierSize(owner: Owner, turn: NewTurn, takesImages: boolean): Promise<EarlierSize> {
    if (turn.kind === 'new-thread' || ('parentId' in turn && turn.parentId === null)) return NOTHING;
    const { threadId } = turn;
    const messageId = turn.kind === 'regenerate' ? turn.userMessageId : (turn.parentId ?? null);
    const size = selectEarlierSize({ owner, threadId, messageId, limit: PATH_BOUNDS.messages, takesImages });
    const [row] = await this.dataSource.query<[EarlierSize]>(...size);
    return row;
  }
}

function contentTokens(content: MessageContent): number {
  const media = filesOfContent(content).filter(({ kind }) => kind !== 'document');
  return estimateTokens(content.text) + media.length * MEDIA_TOKENS + MESSAGE_OVERHEAD;
}
