import type { ErrorCode, ProviderFailure } from '../errors.js';

/** Days for which failures are kept. */
export const FAILURE_DAYS = 30;

/** An answer or a request that failed, for admins. */
export interface Failure {
  id: number;
  createdAt: string;
  code: ErrorCode;
  /** HTTP status of the provider's answer, else that of the code. */
  status: number;
  /** What the provider said; null when it said nothing. */
  provider: Pick<ProviderFailure, 'message' | 'type' | 'code' | 'param'> | null;
  /** As the request named it. */
  modelId: string | null;
  /** By its name at the time; null for the demo, a local server, and a failure before the choice of a connection. */
  connection: { id: number; name: string | null } | null;
  /** null for a guest and for a program without a valid key. */
  user: { id: number; username: string } | null;
  /** `name` is null once the key is deleted. */
  apiKey: { id: number; name: string | null } | null;
  /** null for a request that started no answer. */
  generationId: string | null;
  /** null for an answer that a socket asked for. */
  requestId: string | null;
}
