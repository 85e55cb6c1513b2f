import { type MessagePart, parseContent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { type Identity, ownerUserId } from '../../../identity/identity.js';
import { type ToolContext, WEB_SEARCH } from '../../../tools/tool.js';
import { MessageStore } from '../../messages/message-store.js';
import { ThreadStore } from '../../messages/thread-store.js';
import { partsOf } from '../../messages/stored-parts.js';
import type { GenerationRun } from '../live/generation-run.js';
import { writtenAddresses } from './written-addresses.js';

/** Messages of the conversation that are searched for addresses, newest first. */
const MAX_MESSAGES = 400;

/** Known addresses of the stored messages, those of the newest first. */
const MAX_ADDRESSES = 1_000;

/** The identity that calls of tools act for. A guest may have become an account since the send. */
export const askerOf = (run: GenerationRun): Identity => ({
  ...run.spec.tools!.identity,
  owner: run.owner,
  userId: ownerUserId(run.owner),
});

/** Makes the surroundings of calls. */
@Injectable()
export class CallContext {
  /** The addresses in the stored messages of a run. They stay the same while it runs. */
  private readonly stored = new WeakMap<GenerationRun, Promise<string[]>>();

  constructor(
    private readonly messages: MessageStore,
    private readonly threads: ThreadStore,
  ) {}

  /** @param provider kind of the connection that answers */
  of(run: GenerationRun, callId: string, provider: string, signal: AbortSignal): ToolContext {
    const { modelId, connectionId, target, tools } = run.spec;
    const identity = askerOf(run);
    return {
      identity,
      threadId: target!.threadId,
      generationId: run.id,
      callId,
      signal,
      model: { modelId, connectionId, provider },
      knownAddresses: () => this.knownAddresses(run),
      drawImage: (prompt) => tools!.drawImage({ identity, callId, prompt, signal }),
    };
  }

  private async knownAddresses(run: GenerationRun): Promise<string[]> {
    let stored = this.stored.get(run);
    if (stored === undefined) {
      stored = this.storedAddresses(run);
      this.stored.set(run, stored);
      stored.catch(() => this.stored.delete(run));
    }
    return [...new Set([...(await stored), ...foundAddresses(run.parts.all)])];
  }

  /** Messages that were copied from a share link give none: their author is another client. */
  private async storedAddresses(run: GenerationRun): Promise<string[]> {
    const { messageId, threadId } = run.spec.target!;
    const [path, sharedUntil] = await Promise.all([
      this.messages.path(messageId, MAX_MESSAGES),
      this.threads.sharedUntil(threadId),
    ]);
    const newest = path.filter(({ id }) => id > sharedUntil);
    const written = newest.filter((row) => row.is_user_message).map((row) => parseContent(row.content).text);
    const answers = newest.filter((row) => !row.is_user_message && row.parts !== null).map(partsOf);
    return [...writtenAddresses(written, MAX_ADDRESSES), ...answers.flatMap(foundAddresses).slice(0, MAX_ADDRESSES)];
  }
}

/** The sources that a web search gave. Those of other tools do not count: a server could name an address that leaks text. */
function foundAddresses(parts: readonly MessagePart[]): string[] {
  const results = parts.flatMap((part) =>
    part.type === 'tool' && part.tool === WEB_SEARCH ? [part.result ?? ''] : [],
  );
  return parts.flatMap((part) =>
    part.type === 'source' && results.some((result) => result.includes(part.url)) ? [part.url] : [],
  );
}
