import { createHash, randomUUID } from 'node:crypto';
import type { RequestKey } from '../chat/generation/admission/idempotency.js';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import { jsonPieces } from '../platform/json/json-writer.js';
import { inSlices } from '../platform/system/slices.js';

const MAX_KEY_LENGTH = 255;

/** Prefix of this API's request ids, which keeps them apart from the page's message ids. */
const ID_PREFIX = 'api:';

/** The id of the requests with an Idempotency-Key. @throws AppError `invalid` */
export function idempotencyId(idempotencyKey: string): string {
  if (idempotencyKey === '' || idempotencyKey.length > MAX_KEY_LENGTH)
    throw invalidField('Idempotency-Key', `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`);
  return ID_PREFIX + idempotencyKey;
}

/**
 * What a repetition of a request is known by: its Idempotency-Key or by a new id, which no other request can have.
 * @param content what a repetition must have too; read only for a request with a key
 * @throws AppError `invalid`
 */
export async function idempotencyOf(idempotencyKey: string | undefined, content: () => unknown[]): Promise<RequestKey> {
  if (idempotencyKey === undefined)
    return { clientMessageId: ID_PREFIX + randomUUID(), isFresh: true, requestHash: '' };
  const hash = createHash('sha256');
  for await (const piece of inSlices(jsonPieces(content()))) hash.update(piece);
  const requestHash = hash.digest('hex');
  return { clientMessageId: idempotencyId(idempotencyKey), isFresh: false, requestHash };
}

export const unavailableModel = (modelId: string): AppError =>
  new AppError('model_unavailable', {
    reason: 'name',
    params: { model: JSON.stringify(modelId) },
    details: [{ field: 'model', message: 'not available' }],
  });
