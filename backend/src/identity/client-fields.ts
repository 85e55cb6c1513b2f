import type { IncomingMessage } from 'node:http';
import type { AnswerIds } from './identity.js';

interface ClientFields extends Partial<AnswerIds> {
  client: 'guest' | 'member' | 'admin' | 'none';
}

/** Log fields that identify the client of a request and the answer that it has started. */
export function clientFields({ identity }: IncomingMessage): ClientFields {
  if (identity === undefined) return { client: 'none' };
  const ids = identity.request?.answer?.ids;
  if (identity.userId === null) return { client: 'guest', ...ids };
  const client = identity.isAdmin ? 'admin' : 'member';
  return { ...ids, client, userId: identity.userId, apiKeyId: identity.apiKey?.id };
}
