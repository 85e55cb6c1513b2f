import { parseWithin, PROGRAM_JSON } from '../../platform/json/json-scan.js';
import { guardedConnector } from '../../platform/net/ssrf-guard.js';
import { outboundRequest, type OutboundResponse } from '../outbound/outbound-request.js';
import type { SearchAccess } from './search-access.js';
import type { SearchResult } from './search-client.js';
import { failureOfStatus, noEngineAnswered, SearchFailure, searchFailure } from './search-failure.js';

const MAX_BYTES = 2 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Asks a search service.
 * @returns at most `count` results, each address once
 * @throws SearchFailure; the reason of `signal` when it aborts
 */
export async function runSearch(
  { service, client }: SearchAccess,
  query: string,
  count: number,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<SearchResult[]> {
  let response: OutboundResponse;
  try {
    response = await outboundRequest({
      ...client.request(query, count),
      connect: guardedConnector({ timeout: CONNECT_TIMEOUT_MS, trustedOrigin: client.trustedOrigin }),
      maxBytes: MAX_BYTES,
      signal,
      timeoutMs,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw searchFailure(error);
  }
  if (response.location !== null) throw new SearchFailure('redirect');
  if (response.status !== 200) throw failureOfStatus(service, response.status);
  const body = jsonOf(response);
  const results = client.read(body);
  if (results === null) throw new SearchFailure('invalid_answer');
  if (results.length === 0 && hasFailedEngines(body)) throw noEngineAnswered();
  return uniqueResults(results).slice(0, count);
}

function jsonOf({ type, bytes }: OutboundResponse): unknown {
  if (type === 'text/html') throw new SearchFailure('html');
  try {
    return parseWithin(bytes.toString('utf8'), PROGRAM_JSON);
  } catch {
    throw new SearchFailure('invalid_answer');
  }
}

/** SearXNG answers with an empty list when all of its engines fail, and names them. */
const hasFailedEngines = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'unresponsive_engines' in body &&
  Array.isArray(body.unresponsive_engines) &&
  body.unresponsive_engines.length > 0;

function uniqueResults(results: SearchResult[]): SearchResult[] {
  const byAddress = new Map<string, SearchResult>();
  for (const result of results) if (!byAddress.has(result.url)) byAddress.set(result.url, result);
  return [...byAddress.values()];
}
