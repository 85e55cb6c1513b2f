import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { killProcess } from '../platform/sandbox/kill-process.js';
import { compiledModule } from '../platform/system/compiled-module.js';
import type { ReadConversation, ReaderRequest, ReaderResponse, RejectionReason } from './reader/reader-messages.js';
import { UnreadableExport } from './reader/unreadable-export.js';

/** V8 heap of the reading process. */
const HEAP_MEGABYTES = 768;

/** Timeout of one request: the next conversation of a long file, or one stored file. */
const REQUEST_TIMEOUT_MS = 120_000;

/** A conversation that the reader found, or one that cannot be imported. */
export type Found =
  | { conversation: ReadConversation; progress: number }
  | { rejected: RejectionReason; title: string; progress: number };

/** The parsing process of one export. Requests run one after another, so that one conversation is in memory. */
export class ExportReader {
  private constructor(private readonly child: ChildProcess) {
    // Without a request an error, such as of a process that did not start, has no other listener.
    child.on('error', () => undefined);
  }

  /** Starts the process. `close` ends it at any time, also while it opens the export. */
  static start(): ExportReader {
    const entry = fileURLToPath(compiledModule(new URL('./reader/reader.process.js', import.meta.url)));
    const child = fork(entry, {
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    return new ExportReader(child);
  }

  /** Opens the export; called once, before the other requests. @throws UnreadableExport */
  async open(path: string): Promise<void> {
    // A process that did not start emits its error next, which rejects here.
    if (this.child.pid === undefined) await once(this.child, 'exit');
    await this.ask({ type: 'open', path });
  }

  /** @returns null at the end of the export. @throws UnreadableExport */
  async next(): Promise<Found | null> {
    const response = await this.ask({ type: 'next' });
    if (response.type === 'conversation') return response;
    if (response.type !== 'rejected') return null;
    const { title, progress, reason } = response;
    return { rejected: reason, title, progress };
  }

  /** Writes a file of the last conversation to `path`. @returns false for a file that is missing or too large */
  async extract(file: number, path: string): Promise<boolean> {
    const response = await this.ask({ type: 'extract', file, path });
    return response.type === 'extracted' && response.isExtracted;
  }

  /** Ends the process. A request that waits for its response fails. */
  close(): void {
    killProcess(this.child);
  }

  /** A process that exits has exceeded its memory, or a defect of a parser has ended it. */
  private ask(request: ReaderRequest): Promise<ReaderResponse> {
    return new Promise<ReaderResponse>((resolve, reject) => {
      const fail = () => settle(() => reject(new UnreadableExport('too-large')));
      const timeout = setTimeout(fail, REQUEST_TIMEOUT_MS);
      const onMessage = (message: unknown) => {
        const response = message as ReaderResponse;
        settle(() => {
          if (response.type === 'unreadable') reject(new UnreadableExport(response.reason));
          else if (response.type === 'failed') reject(new Error(`the reader failed: ${response.message}`));
          else resolve(response);
        });
      };
      const settle = (done: () => void) => {
        clearTimeout(timeout);
        this.child.off('message', onMessage).off('exit', fail).off('error', fail);
        done();
      };
      this.child.once('message', onMessage).once('exit', fail).once('error', fail);
      if (this.child.connected) this.child.send(request);
      else fail();
    });
  }
}
