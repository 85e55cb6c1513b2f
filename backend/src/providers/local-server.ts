import { kindOf } from './model-kind.js';
import { PROVIDER_TIMINGS, type ProviderModel } from './provider.js';
import { OpenAiCompatibleProvider } from './upstream/openai-compatible.provider.js';

/** A model server on this machine that needs no key. */
export interface LocalServer {
  baseUrl: string;
  /** Chat models in the server's order; never empty. */
  models: ProviderModel[];
}

/** Default addresses of Ollama and LM Studio. */
const CANDIDATES = ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:1234/v1'];
/** Ids of models in their lists that do not chat, beside those of another kind. */
const NO_CHAT_MODEL = /rerank|\bclip\b/i;

/**
 * Probes for a model server on this machine. All candidates are probed at the same time; the first one in the list with
 * a chat model wins.
 * @param options.timeoutMs time limit of the probe; 500 by default
 * @returns null if no candidate answers in time
 */
export async function findLocalServer(
  options: { timeoutMs?: number; candidates?: string[] } = {},
): Promise<LocalServer | null> {
  const { timeoutMs = 500, candidates = CANDIDATES } = options;
  const found = await Promise.all(candidates.map((baseUrl) => probe(baseUrl, timeoutMs)));
  return found.find((server) => server !== null) ?? null;
}

async function probe(baseUrl: string, timeoutMs: number): Promise<LocalServer | null> {
  const timings = {
    ...PROVIDER_TIMINGS,
    connect: timeoutMs,
    list: timeoutMs,
    retryBudget: 0,
    retryBudgetWithFallback: 0,
  };
  const provider = new OpenAiCompatibleProvider({ name: 'local', baseUrl, mayBePrivate: true, apiKey: null, timings });
  try {
    const models = (await provider.listModels(AbortSignal.timeout(timeoutMs))).filter(
      ({ id, capabilities }) => kindOf(id, capabilities).kind === 'chat' && !NO_CHAT_MODEL.test(id),
    );
    return models.length > 0 ? { baseUrl, models } : null;
  } catch {
    // A closed port or another kind of server is the usual case, so it is not logged.
    return null;
  } finally {
    void provider.close().catch(() => undefined);
  }
}
