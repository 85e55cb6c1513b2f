import { DEFAULT_CONTEXT_LENGTH, type Catalogue, type TestProviderResponse } from '@tanya/contract';
import { DemoProvider } from './demo.provider.js';
import type { LocalServer } from './local-server.js';
import { OpenAiCompatibleProvider, type OpenAiCompatibleOptions } from './openai-compatible.provider.js';
import { PROVIDER_TIMINGS, type Provider, type ProviderModel, type ProviderTimings } from './provider.js';
import { ProviderError } from './provider-error.js';

export interface ProviderAccess {
  apiKey: string | null;
  /** null is the provider's own address. */
  baseUrl: string | null;
}

export type ProviderId = 'openrouter' | 'openai';

export type ProviderConfig = Record<ProviderId, ProviderAccess>;

export interface RegistryOptions {
  timings?: Partial<ProviderTimings>;
  /** Tokens a second of the demo's answers. */
  demoPace?: number;
  localServer: LocalServer | null;
}

/** Who does a request, and what it calls the model. */
export interface Choice {
  provider: Provider;
  model: string;
}

const HOMES: Record<ProviderId, string> = {
  openrouter: 'https://openrouter.ai/api/v1',
  openai: 'https://api.openai.com/v1',
};
const NO_ACCESS: ProviderAccess = { apiKey: null, baseUrl: null };
/** OpenRouter adds a model a day at most, and an admin may look at its list often. */
const CATALOGUE_LIFETIME_MS = 5 * 60_000;

/**
 * Decides which provider answers. Chat: OpenRouter, else OpenAI, else the model server on this machine, else the demo,
 * where a key or a base URL makes a provider count as set. Pictures: OpenAI, else the demo.
 */
export class ProviderRegistry {
  private readonly timings: ProviderTimings;
  private readonly demoProvider: DemoProvider;
  private readonly local: OpenAiCompatibleProvider | null;
  private config: ProviderConfig = { openrouter: NO_ACCESS, openai: NO_ACCESS };
  private remote: Record<ProviderId, OpenAiCompatibleProvider>;
  private cached: { catalogue: Catalogue; until: number } | null = null;

  constructor(private readonly options: RegistryOptions) {
    this.timings = { ...PROVIDER_TIMINGS, ...options.timings };
    this.demoProvider = new DemoProvider({ pace: options.demoPace });
    this.local = options.localServer
      ? this.create('local', { baseUrl: options.localServer.baseUrl, apiKey: null, mayBePrivate: true })
      : null;
    this.remote = { openrouter: this.connect('openrouter', NO_ACCESS), openai: this.connect('openai', NO_ACCESS) };
  }

  /** True while nobody but the built-in demo answers. */
  get demo(): boolean {
    return !this.isSet('openrouter') && !this.isSet('openai') && !this.local;
  }

  /** True while chat goes to a hosted provider at its own address, where a small extra request is cheap and in nobody's way. */
  get isHosted(): boolean {
    const id = (['openrouter', 'openai'] as const).find((each) => this.isSet(each));
    return id !== undefined && this.config[id].baseUrl === null;
  }

  /** Models to offer besides the configured ones; empty once a provider is set. */
  get localModels(): ProviderModel[] {
    const replaced = this.isSet('openrouter') || this.isSet('openai');
    return replaced ? [] : (this.options.localServer?.models ?? []);
  }

  /**
   * Takes new keys and addresses. What did not change keeps its connections. What did is dropped and not closed: running
   * answers finish on the old connections, which end by themselves once they are idle.
   */
  configure(config: ProviderConfig): void {
    for (const id of ['openrouter', 'openai'] as const) {
      const access = { apiKey: config[id].apiKey || null, baseUrl: config[id].baseUrl || null };
      const before = this.config[id];
      if (access.apiKey === before.apiKey && access.baseUrl === before.baseUrl) continue;
      this.remote[id] = this.connect(id, access);
      this.config[id] = access;
      if (id === 'openrouter') this.cached = null;
    }
  }

  forChat(modelId: string): Choice {
    if (this.isSet('openrouter')) return { provider: this.remote.openrouter, model: modelId };
    if (this.isSet('openai')) return { provider: this.remote.openai, model: withoutOpenAi(modelId) };
    if (this.local) return { provider: this.local, model: this.localModelFor(modelId) };
    return { provider: this.demoProvider, model: modelId };
  }

  forImages(modelId: string): Choice {
    if (this.isSet('openai')) return { provider: this.remote.openai, model: withoutOpenAi(modelId) };
    return { provider: this.demoProvider, model: modelId };
  }

  /** OpenRouter's models, at most five minutes old. Its list is open, so no key is needed. Throws ProviderError. */
  async catalogue(signal: AbortSignal): Promise<Catalogue> {
    if (this.cached && this.cached.until > performance.now()) return this.cached.catalogue;
    const provider = this.remote.openrouter;
    const models = await provider.listModels(signal);
    const catalogue = { data: models.map(catalogueItemOf) };
    // The settings may have changed meanwhile, and this list then is another server's.
    if (provider === this.remote.openrouter) {
      this.cached = { catalogue, until: performance.now() + CATALOGUE_LIFETIME_MS };
    }
    return catalogue;
  }

  /** Tries key and address of a provider, for the admin who has just set them. Never throws a ProviderError. */
  async testConnection(id: ProviderId, signal: AbortSignal): Promise<TestProviderResponse> {
    if (!this.isSet(id)) return { ok: false, message: 'Neither an API key nor a base URL is set.' };
    const provider = this.remote[id];
    try {
      // OpenRouter lists its models for any key, so the key has to be asked for by itself.
      if (id === 'openrouter' && !this.config.openrouter.baseUrl) await provider.checkKey(signal);
      const { length } = await provider.listModels(signal);
      return { ok: true, message: `Connected. The provider lists ${length} ${length === 1 ? 'model' : 'models'}.` };
    } catch (error) {
      if (error instanceof ProviderError) return { ok: false, message: testFailure(error) };
      throw error;
    }
  }

  /** Frees all connections; running answers finish first. */
  async close(): Promise<void> {
    await Promise.all([this.remote.openrouter.close(), this.remote.openai.close(), this.local?.close()]);
  }

  private isSet(id: ProviderId): boolean {
    const { apiKey, baseUrl } = this.config[id];
    return apiKey !== null || baseUrl !== null;
  }

  /** The server's own names, with or without a prefix of ours; a model that it lacks is answered by its first. */
  private localModelFor(modelId: string): string {
    const ids = this.localModels.map(({ id }) => id);
    const bare = modelId.slice(modelId.indexOf('/') + 1);
    return [modelId, bare].find((id) => ids.includes(id)) ?? ids[0] ?? modelId;
  }

  private connect(id: ProviderId, { apiKey, baseUrl }: ProviderAccess): OpenAiCompatibleProvider {
    return this.create(id, { baseUrl: baseUrl ?? HOMES[id], apiKey, mayBePrivate: baseUrl !== null });
  }

  private create(
    name: string,
    access: Pick<OpenAiCompatibleOptions, 'baseUrl' | 'apiKey' | 'mayBePrivate'>,
  ): OpenAiCompatibleProvider {
    return new OpenAiCompatibleProvider({ name, ...access, timings: this.timings });
  }
}

/** Model ids carry their maker, which OpenAI itself does not. */
function withoutOpenAi(modelId: string): string {
  return modelId.replace(/^openai\//, '');
}

function catalogueItemOf(model: ProviderModel): Catalogue['data'][number] {
  return {
    id: model.id,
    // As a model that is created without a name: what follows its maker.
    name: model.name ?? model.id.slice(model.id.indexOf('/') + 1),
    description: model.description ?? undefined,
    context_length: model.contextLength ?? DEFAULT_CONTEXT_LENGTH,
  };
}

/** Admins may know more than readers: what to mend. */
function testFailure(error: ProviderError): string {
  if (error.adminMessage) return error.adminMessage;
  if (error.code === 'provider_auth') return 'The provider refused the API key.';
  if (error.code === 'provider_credit') return 'The provider says that the account has no credit left.';
  if (error.status) return `The provider answered with status ${error.status}.`;
  return error.message;
}
