import type { SearchStatus, SearchTestResult, TestSearchRequest } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../../config/env.js';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { ProviderRegistry } from '../../providers/registry.js';
import { SettingsService } from '../../settings/settings.service.js';
import { changedSearch } from '../../settings/search-settings.js';
import { type SearchAccess, searchAccess } from './search-access.js';
import type { SearchResult } from './search-client.js';
import { failureOfStatus, noEngineAnswered, SearchFailure, searchFailure } from './search-failure.js';
import { SearchHealth } from './search-health.js';
import { parseWithin, PROGRAM_JSON } from '../../platform/json/json-scan.js';
import { guardedConnector } from '../../platform/net/ssrf-guard.js';
import { outboundRequest, type OutboundResponse } from '../outbound/outbound-request.js';

const TEST_QUERY = 'weather';
const TEST_COUNT = 3;

@Injectable()
export class WebSearchService {
  constructor(
    private readonly settings: SettingsService,
    private readonly health: SearchHealth,
    private readonly providers: ProviderRegistry,
    @Inject(ENV) private readonly env: Env,
    @Inject(TIMINGS) private readonly timings: Timings,
  ) {}

  get isConfigured(): boolean {
    return this.access() !== null;
  }

  /** Whether OpenRouter's own search stands in for a service that is not configured. */
  get isHosted(): boolean {
    return !this.isConfigured && this.settings.search().choice === 'auto' && this.providers.hasConnection('openrouter');
  }

  /** @throws SearchFailure; the reason of `signal` when it aborts */
  async search(query: string, count: number, signal: AbortSignal): Promise<SearchResult[]> {
    const access = this.access();
    if (access === null) throw new SearchFailure('not_configured');
    return this.observed(access, () => runSearch(access, query, count, signal, this.timings.search), signal);
  }

  async status(): Promise<SearchStatus> {
    const access = this.access();
    const { isHosted } = this;
    if (access === null) return { service: null, isHosted, source: null, lastError: null, lastSuccess: null };
    const row = await this.health.find(access.service);
    const { lastError = null, lastErrorAt = null, lastSuccessAt = null } = row ?? {};
    return {
      service: access.service,
      isHosted,
      source: access.source,
      lastError: lastError && lastErrorAt && { ...lastError, at: lastErrorAt.toISOString() },
      lastSuccess: lastSuccessAt?.toISOString() ?? null,
    };
  }

  /**
   * Tests a service before it is saved, or the saved one. A failure of the service is in the result; the outcome is
   * recorded when nothing differs from the saved settings.
   * @throws AppError `invalid` for an address or key that is not valid
   */
  async test(request: TestSearchRequest): Promise<SearchTestResult> {
    const stored = this.settings.search();
    const changed = changedSearch(stored, request, (key) => this.settings.maskedKey(key));
    const access = searchAccess(changed, this.env.searxngUrl);
    const isSaved = JSON.stringify(changed) === JSON.stringify(stored);
    const began = performance.now();
    const elapsed = (): number => Math.round(performance.now() - began);
    try {
      if (access === null) throw new SearchFailure('not_configured');
      const { signal } = new AbortController();
      const run = (): Promise<SearchResult[]> => runSearch(access, TEST_QUERY, TEST_COUNT, signal, this.timings.search);
      const { length } = await (isSaved ? this.observed(access, run, signal) : run());
      const message = length === 0 ? 'Connected. The search found nothing.' : 'Connected. The search returned results.';
      return { ok: true, service: access.service, results: length, message, ms: elapsed() };
    } catch (error) {
      const { fault, message } = searchFailure(error);
      return { ok: false, service: access?.service ?? null, fault, message, ms: elapsed() };
    }
  }

  /** Records the outcome of a search. A search that was stopped has none. */
  private async observed(
    { service }: SearchAccess,
    run: () => Promise<SearchResult[]>,
    signal: AbortSignal,
  ): Promise<SearchResult[]> {
    try {
      const results = await run();
      await this.health.record(service, null);
      return results;
    } catch (error) {
      if (!signal.aborted) await this.health.record(service, searchFailure(error));
      throw error;
    }
  }

  private access(): SearchAccess | null {
    return searchAccess(this.settings.search(), this.env.searxngUrl);
  }
}

const MAX_BYTES = 2 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Asks a search service.
 * @returns at most `count` results, each address once
 * @throws SearchFailure; the reason of `signal` when it aborts
 */
async function runSearch(
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
