import { AppError, invalidField } from '../platform/errors/app-error.js';

const MAX_KEY_LENGTH = 255;

/** Prefix of this API's request ids, which keeps them apart from the page's message ids. */
export const ID_PREFIX = 'api:';

/** The request id of an Idempotency-Key. @throws AppError `invalid` */
export function requestId(idempotencyKey: string): string {
  if (idempotencyKey === '' || idempotencyKey.length > MAX_KEY_LENGTH)
    throw invalidField('Idempotency-Key', `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`);
  return ID_PREFIX + idempotencyKey;
}

export const unavailableModel = (modelId: string): AppError =>
  new AppError('model_unavailable', {
    message: `The model ${JSON.stringify(modelId)} does not exist or is not available. Please choose another one.`,
    details: [{ field: 'model', message: 'not available' }],
  });
