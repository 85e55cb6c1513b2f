import type { MemoryBudget } from '../platform/sandbox/memory-budget.js';
import { SandboxProcess } from '../platform/sandbox/sandbox-process.js';
import type {
  ReadConversation,
  ReaderRequest,
  ReaderResponse,
  ReadMessage,
  RejectionReason,
} from './reader/reader-messages.js';
import { UnreadableExport } from './reader/unreadable-export.js';

/** Resident memory of the reading process. The largest conversation, 32 MB of JSON, took 190. */
export const READER_MEGABYTES = 256;

/** Timeout of one request: the next conversation of a long file, or one stored file. */
const REQUEST_TIMEOUT_MS = 120_000;

/** A conversation that the reader found, or one that cannot be imported. */
export type Found =
  | { conversation: ReadConversation; progress: number }
  | { rejected: RejectionReason; title: string; progress: number };

/** The file of the reading process for a thread that is too long for its memory. */
const nodesPathOf = (path: string): string => `${path}.nodes`;

/** The parsing process of one export. Requests run one after another, so that one conversation is in memory. */
export class ExportReader {
  private constructor(
    private readonly process: SandboxProcess,
    /** Where `extract` puts a file: the one path that the process may write. */
    readonly filePath: string,
  ) {}

  /**
   * Starts the process when there is memory for it, and opens the export.
   * @param signal ends the wait and the process at any time
   * @throws UnreadableExport, MemoryBudgetFull, the reason of the signal
   */
  static async open(path: string, budget: MemoryBudget, signal: AbortSignal): Promise<ExportReader> {
    const filePath = `${path}.file`;
    const module = new URL('./reader/reader.process.js', import.meta.url);
    const nodesPath = nodesPathOf(path);
    const files = { reads: [path, nodesPath], writes: [filePath, nodesPath] };
    const bounds = { module, megabytes: READER_MEGABYTES, ...files };
    const reader = new ExportReader(await SandboxProcess.start(bounds, budget, signal), filePath);
    await reader.ask({ type: 'open', path, nodesPath });
    return reader;
  }

  /** The files of an import whose process has ended: the export, and what was written for it. */
  static filesOf(path: string): string[] {
    return [path, nodesPathOf(path)];
  }

  /** @returns null at the end of the export. @throws UnreadableExport */
  async next(): Promise<Found | null> {
    const response = await this.ask({ type: 'next' });
    if (response.type === 'conversation') return response;
    if (response.type !== 'rejected') return null;
    const { title, progress, reason } = response;
    return { rejected: reason, title, progress };
  }

  /** The messages of the last conversation, page by page. */
  async *messagesOf({ messages, hasMore }: ReadConversation): AsyncGenerator<ReadMessage[]> {
    yield messages;
    for (let isMore = hasMore; isMore;) {
      const response = await this.ask({ type: 'messages' });
      if (response.type !== 'messages') return;
      yield response.messages;
      isMore = response.hasMore;
    }
  }

  /** Writes a file of the last conversation to `filePath`. @returns false for a file that is missing or too large */
  async extract(file: number): Promise<boolean> {
    const response = await this.ask({ type: 'extract', file, path: this.filePath });
    return response.type === 'extracted' && response.isExtracted;
  }

  /** A process that ends has exceeded its memory or its time, or a defect of a parser has ended it. */
  private async ask(request: ReaderRequest): Promise<ReaderResponse> {
    const response = await this.process.ask<ReaderResponse>(request, { timeoutMs: REQUEST_TIMEOUT_MS });
    // An error is of the system: the process did not start, for example.
    if ('reason' in response && response.reason instanceof Error) throw response.reason;
    if ('failure' in response) throw new UnreadableExport('too-large');
    if (response.type === 'unreadable') throw new UnreadableExport(response.reason);
    if (response.type === 'failed') throw new Error(`the reader failed: ${response.message}`);
    return response;
  }
}
