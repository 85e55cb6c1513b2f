import { type ContinueShareResponse, LIMITS, type SharedMessage } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ConversationWriter } from '../chat/messages/conversation-writer.js';
import { TextQuota } from '../chat/messages/text-quota.js';
import { ThreadsService } from '../chat/threads/threads.service.js';
import { FileCopier } from '../files/file-copies.js';
import { fileUrl } from '../files/file-name.js';
import type { Identity } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { truncate } from '../platform/json/storable-json.js';
import { inSlices } from '../platform/system/slices.js';
import { ShareLimits } from './share-limits.js';
import { idsOfCopies, withinBounds } from './shares.service.js';
import { snapshotOf, toConversation } from './snapshot.js';
import { ThreadLifetimes } from '../chat/messages/thread-lifetimes.js';

/** Copies of a member's own threads: the shown path with its files, within the bounds of a snapshot, their choices and project. */
@Injectable()
export class ThreadCopies {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly threads: ThreadsService,
    private readonly copier: FileCopier,
    private readonly writer: ConversationWriter,
    private readonly limits: ShareLimits,
    private readonly texts: TextQuota,
    private readonly lifetimes: ThreadLifetimes,
  ) {}

  /** @throws AppError `not_found`, also for a thread without messages, `too_large`, `rate_limited`, `storage_full` */
  async duplicate(identity: Identity, threadId: number): Promise<ContinueShareResponse> {
    const { owner } = identity;
    await this.limits.consumeContinuation(identity);
    const { thread, slices } = await this.threads.conversation(owner, threadId, LIMITS.shareMessages + 1);
    const { messages, characters, fileIds } = await withinBounds(slices);
    if (messages.length === 0) throw new AppError('not_found');
    await this.texts.ensureRoom(owner, characters);
    // Tools open addresses of the member's own messages alone, so what came from others stays known as such.
    const isShared = await this.threads.isFromShare(threadId);
    const copy = await this.copier.withCopies({ owner }, fileIds, owner, async (copies) => {
      const toCopy = snapshotOf(fileUrl, idsOfCopies(fileIds, copies), true);
      const copied: SharedMessage[] = [];
      for await (const { message } of inSlices(messages)) copied.push(toCopy(message));
      const conversation = toConversation(titleOfCopy(thread.title), copied, new Map(), fileUrl);
      const now = new Date();
      const { modelId, tools, useInstructions, projectId } = thread;
      const fresh = {
        createdAt: now,
        updatedAt: now,
        lifetime: this.lifetimes.ofNew(identity),
        isPinned: false,
        isArchived: false,
        isShared,
      };
      return this.dataSource.transaction(async (manager) => {
        await this.writer.claimRoom(manager, owner, conversation);
        const id = await this.writer.insert(manager, owner, {
          ...conversation,
          modelId,
          tools,
          useInstructions,
          projectId,
          ...fresh,
        });
        await copies.insert(manager, { threadId: id });
        return id;
      });
    });
    this.threads.announce(owner, copy);
    return { threadId: copy };
  }
}

/** `Harbours (2)`, and of that `Harbours (3)`. */
function titleOfCopy(title: string): string {
  const [, name = title, number = '1'] = /^(.*) \((\d{1,3})\)$/s.exec(title) ?? [];
  const ending = ` (${Number(number) + 1})`;
  return truncate(name, LIMITS.threadTitle.max - ending.length).trimEnd() + ending;
}
