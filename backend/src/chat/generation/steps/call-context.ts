import { type MessagePart, parseContent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { type Identity, ownerUserId } from '../../../identity/identity.js';
import { type ToolContext, WEB_SEARCH } from '../../../tools/tool.js';
import { MessageStore } from '../../messages/message-store.js';
import { partsOf } from '../../messages/stored-parts.js';
import type { GenerationRun } from '../run/generation-run.js';

/** Messages of the conversation that are searched for addresses, newest first. */
const MAX_MESSAGES = 400;

const ADDRESS = /https?:\/\/[^\s<>"'`\\]+/gi;

/** A sentence around an address ends it; an address may also end so, hence both forms count. */
const SENTENCE_END = /[.,;:!?)\]}]+$/;

/** The identity that calls of tools act for. A guest may have become an account since the send. */
export const askerOf = (run: GenerationRun): Identity => ({
  ...run.spec.tools!.identity,
  owner: run.owner,
  userId: ownerUserId(run.owner),
});

/** Makes the surroundings of calls. */
@Injectable()
export class CallContext {
  constructor(private readonly messages: MessageStore) {}

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
    const rows = await this.messages.path(run.spec.target!.messageId, MAX_MESSAGES);
    const written = rows
      .filter((row) => row.is_user_message)
      .flatMap((row) => parseContent(row.content).text.match(ADDRESS) ?? [])
      .flatMap((address) => [address, address.replace(SENTENCE_END, '')]);
    const answers = rows.filter((row) => !row.is_user_message && row.parts !== null).map(partsOf);
    return [...new Set([...written, ...[...answers, run.parts.all].flatMap(foundAddresses)])];
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
