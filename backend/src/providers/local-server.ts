import { PROVIDER_TIMINGS, type ProviderModel } from './provider.js';
import { OpenAiCompatibleProvider } from './openai-compatible.provider.js';

/** A model server that runs on this machine and wants no key. */
export interface LocalServer {
  baseUrl: string;
  /** Those that chat, in the server's order; never empty. */
  models: ProviderModel[];
}

/** Where Ollama and LM Studio listen. */
const CANDIDATES = ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:1234/v1'];
/** Their lists name these too, but they answer no chat. */
const NOT_CHATTING = /embed|rerank|whisper|\bbge\b|\bclip\b/i;

/**
 * Looks once for a model server on this machine. All candidates are asked at the same time and the first of the list
 * that offers a model is taken; null after `timeoutMs` at the latest.
 */
export async function findLocalServer(
  options: { timeoutMs?: number; candidates?: string[] } = {},
): Promise<LocalServer | null> {
  const { timeoutMs = 500, candidates = CANDIDATES } = options;
  const found = await Promise.all(candidates.map((baseUrl) => ask(baseUrl, timeoutMs)));
  return found.find((server) => server !== null) ?? null;
}

async function ask(baseUrl: string, timeoutMs: number): Promise<LocalServer | null> {
  const timings = { ...PROVIDER_TIMINGS, connect: timeoutMs, list: timeoutMs, retryBudget: 0 };
  const provider = new OpenAiCompatibleProvider({ name: 'local', baseUrl, mayBePrivate: true, apiKey: null, timings });
  try {
    const models = (await provider.listModels(AbortSignal.timeout(timeoutMs))).filter(
      ({ id }) => !NOT_CHATTING.test(id),
    );
    return models.length > 0 ? { baseUrl, models } : null;
  } catch {
    // Nothing there, or nothing that speaks our language: both are the usual case.
    return null;
  } finally {
    void provider.close();
  }
}
