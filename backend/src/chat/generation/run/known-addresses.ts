import { type MessagePart, parseContent, trimEndOf } from '@tanya/contract';
import { SOURCE_BOUNDS } from '../../../providers/provider.js';
import { WEB_SEARCH } from '../../../tools/tool.js';
import { partsOf } from '../../messages/stored-parts.js';
import type { MessageRun } from '../live/generation-run.js';
import type { RunServices } from './run-services.js';

/** Messages of the conversation that are searched for addresses, newest first. */
const MAX_MESSAGES = 400;

/** Known addresses of the stored messages, those of the newest messages first. */
const MAX_ADDRESSES = 1_000;

/** The addresses that a call of a run may open without asking, see `ToolContext.knownAddresses`. */
export class KnownAddresses {
  /** Those in the stored messages, which stay the same while the run lasts. */
  private stored: Promise<string[]> | undefined;

  constructor(
    private readonly run: MessageRun,
    private readonly services: Pick<RunServices, 'messages' | 'threads'>,
  ) {}

  async all(): Promise<string[]> {
    this.stored ??= this.storedAddresses().catch((error: unknown) => {
      this.stored = undefined;
      throw error;
    });
    return [...new Set([...(await this.stored), ...foundAddresses(this.run.parts.all)])];
  }

  /**
   * Messages that were copied from a share link give none: their author is another client. Neither do imported answers: no
   * search of this server has found their sources.
   */
  private async storedAddresses(): Promise<string[]> {
    const { messages, threads } = this.services;
    const { messageId, threadId } = this.run.spec.thread;
    const [path, sharedUntil] = await Promise.all([
      messages.path(messageId, MAX_MESSAGES),
      threads.sharedUntil(threadId),
    ]);
    const newest = path.filter(({ id }) => id > sharedUntil);
    const written = newest.filter((row) => row.is_user_message).map((row) => parseContent(row.content).text);
    const answers = newest.filter(({ parts, generation_id: id }) => parts !== null && id !== null).map(partsOf);
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

const ADDRESS = /https?:\/\/[^\s<>"'`\\]+/gi;

/** Marks that may end the sentence around an address or the address itself, so both forms count. */
const SENTENCE_END = '.,;:!?)]}';

/**
 * The addresses in texts, each once, in the order of the texts. Takes time linear in the texts.
 * @param limit number of addresses; later ones are left out
 */
export function writtenAddresses(texts: Iterable<string>, limit: number): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [address] of text.matchAll(ADDRESS)) {
      if (found.size >= limit) return [...found];
      if (address.length > SOURCE_BOUNDS.url) continue;
      found.add(address);
      found.add(trimEndOf(address, SENTENCE_END));
    }
  }
  return [...found];
}
