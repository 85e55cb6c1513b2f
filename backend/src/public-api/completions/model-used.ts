import type { ServerResponse } from 'node:http';

/** Names the model that answers, in a header. It is unknown while fallbacks may answer and none has begun. */
export const setModelUsed = (response: ServerResponse, model: string): void =>
  void response.setHeader('x-model-used', model);
