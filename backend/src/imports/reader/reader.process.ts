import { serveTasks } from '../../platform/sandbox/sandbox-worker.js';
import { ConversationReader } from './conversation-reader.js';
import type { ReaderRequest, ReaderResponse } from './reader-messages.js';
import { UnreadableExport } from './unreadable-export.js';

// Reads one export in a process of its own: untrusted input can neither block nor crash the server.
let reader: ConversationReader | null = null;

async function answer(request: ReaderRequest): Promise<ReaderResponse> {
  if (request.type === 'open') {
    reader = await ConversationReader.open(request.path, request.nodesPath);
    return { type: 'opened' };
  }
  if (request.type === 'next') return reader!.next();
  if (request.type === 'messages') return reader!.moreMessages();
  return { type: 'extracted', isExtracted: await reader!.extract(request.file, request.path) };
}

const failure = (error: unknown): ReaderResponse =>
  error instanceof UnreadableExport
    ? { type: 'unreadable', reason: error.reason }
    : { type: 'failed', message: String(error) };

serveTasks((request: ReaderRequest) => answer(request).catch(failure));
