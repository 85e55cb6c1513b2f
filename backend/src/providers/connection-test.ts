import type { ConnectionKind, ConnectionTestResult } from '@tanya/contract';
import { isForbiddenAddress } from '../platform/net/address-ranges.js';
import { RefusedAddressError } from '../platform/net/ssrf-guard.js';
import type { ProviderTimings } from './provider.js';
import { causeOf, faultOf } from './provider-cause.js';
import { addressRefused, ProviderError } from './provider-error.js';
import { addressOf, isConfigured, openProvider, PROVIDER_KINDS, type ProviderAccess } from './provider-kinds.js';
import type { OpenAiCompatibleProvider } from './upstream/openai-compatible.provider.js';

/** Faults of the key check that only mean that a server at an own base URL does not have this endpoint. */
const NO_KEY_CHECK = ['not_found', 'http_error', 'redirect', 'html', 'invalid_answer', 'encoding', 'too_large'];

/** Tests key and address of a connection by listing its models once, without retries. Never throws. */
export async function testConnection(
  kind: ConnectionKind,
  access: ProviderAccess,
  timings: ProviderTimings,
): Promise<ConnectionTestResult> {
  const began = performance.now();
  const result = await listOnce(kind, access, { ...timings, retryBudget: -1 });
  const ms = Math.round(performance.now() - began);
  if (typeof result === 'number') {
    const models = result === 1 ? '1 model' : `${result} models`;
    return { ok: true, message: `Connected. The provider lists ${models}.`, models: result, ms };
  }
  const { status } = result;
  return { ok: false, fault: faultOf(result), message: causeOf(result), ...(status ? { status } : {}), ms };
}

/** @returns the number of models, or the failure */
async function listOnce(
  kind: ConnectionKind,
  access: ProviderAccess,
  timings: ProviderTimings,
): Promise<number | ProviderError> {
  const address = addressOf(kind, access);
  if (!isConfigured(access) || address === null) {
    return new ProviderError('provider_auth', { fault: 'not_configured' });
  }
  const { hostname } = new URL(address);
  if (isForbiddenAddress(hostname)) return addressRefused(new RefusedAddressError(hostname, hostname).message);
  const provider = openProvider(kind, access, timings);
  const signal = AbortSignal.timeout(timings.connectionTest);
  try {
    await checkKey(provider, kind, access, signal);
    return (await provider.listModels(signal)).length;
  } catch (error) {
    if (signal.aborted) return new ProviderError('provider_unreachable', { fault: 'timeout' });
    return error instanceof ProviderError ? error : new ProviderError('provider_error');
  } finally {
    void provider.close();
  }
}

/** OpenRouter lists its models without a valid key, so the key needs a check of its own. */
async function checkKey(
  provider: OpenAiCompatibleProvider,
  kind: ConnectionKind,
  { apiKey, baseUrl }: ProviderAccess,
  signal: AbortSignal,
): Promise<void> {
  const path = PROVIDER_KINDS[kind].keyPath;
  if (path === null || apiKey === null) return;
  try {
    await provider.checkKey(path, signal);
  } catch (error) {
    const isIgnored = baseUrl !== null && error instanceof ProviderError && NO_KEY_CHECK.includes(faultOf(error));
    if (!isIgnored) throw error;
  }
}
