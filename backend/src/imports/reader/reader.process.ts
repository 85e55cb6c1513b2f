import { ConversationReader } from './conversation-reader.js';
import type { ReaderRequest, ReaderResponse } from './reader-messages.js';
import { UnreadableExport } from './unreadable-export.js';

// Reads one export in a process of its own: untrusted input can neither block nor crash the server. The heap of the
// process is bounded by its start options.
process.once('disconnect', () => process.exit());
// Reading an export needs no network.
Reflect.deleteProperty(globalThis, 'fetch');

let reader: ConversationReader | null = null;

async function answer(request: ReaderRequest): Promise<ReaderResponse> {
  if (request.type === 'open') {
    reader = await ConversationReader.open(request.path);
    return { type: 'opened' };
  }
  if (request.type === 'next') return reader!.next();
  return { type: 'extracted', isExtracted: await reader!.extract(request.file, request.path) };
}

process.on('message', (request: ReaderRequest) => {
  answer(request).then(
    (response) => process.send?.(response),
    (error: unknown) => {
      const response: ReaderResponse =
        error instanceof UnreadableExport
          ? { type: 'unreadable', reason: error.reason }
          : { type: 'failed', message: String(error) };
      process.send?.(response);
    },
  );
});
