import { DEFAULT_CONTEXT_LENGTH, type Catalogue, type TestProviderResponse } from '@tanya/contract';
import { DemoProvider } from './demo/demo.provider.js';
import type { LocalServer } from './local-server.js';
import { OpenAiCompatibleProvider, type OpenAiCompatibleOptions } from './upstream/openai-compatible.provider.js';
import { PROVIDER_TIMINGS, type Provider, type ProviderModel, type ProviderTimings } from './provider.js';
import { ProviderError } from './provider-error.js';

export interface ProviderAccess {
  apiKey: string | null;
  /** null: the provider's public address. */
  baseUrl: string | null;
}

export type ProviderId = 'openrouter' | 'openai';

export type ProviderConfig = Record<ProviderId, ProviderAccess>;

export interface RegistryOptions {
  timings?: Partial<ProviderTimings>;
  /** Tokens per second of demo answers. */
  demoPace?: number;
  localServer: LocalServer | null;
}

/** A provider, and the model id in its own form. */
export interface Choice {
  provider: Provider;
  model: string;
}

const PUBLIC_URLS: Record<ProviderId, string> = {
  openrouter: 'https://openrouter.ai/api/v1',
  openai: 'https://api.openai.com/v1',
};
const NO_ACCESS: ProviderAccess = { apiKey: null, baseUrl: null };
/** How long OpenRouter's model list is cached. It changes about once a day. */
const CATALOGUE_LIFETIME_MS = 5 * 60_000;

/**
 * Holds the configured providers and selects one per request. Chat: OpenRouter, else OpenAI, else the model server on
 * this machine, else the demo. Pictures: OpenAI, else the demo. A provider is configured if it has a key or a base URL.
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

  /** True if the built-in demo is the only provider. */
  get demo(): boolean {
    return !this.isSet('openrouter') && !this.isSet('openai') && !this.local;
  }

  /** True if chat uses OpenRouter or OpenAI at its public address, where a small extra request is cheap. */
  get isHosted(): boolean {
    const id = (['openrouter', 'openai'] as const).find((each) => this.isSet(each));
    return id !== undefined && this.config[id].baseUrl === null;
  }

  /** Models of the server on this machine; empty if another provider is configured. */
  get localModels(): ProviderModel[] {
    const replaced = this.isSet('openrouter') || this.isSet('openai');
    return replaced ? [] : (this.options.localServer?.models ?? []);
  }

  /**
   * Applies new keys and base URLs. An unchanged provider keeps its connections. A changed one is replaced but not
   * closed: its running answers finish, and its connections close when they are idle.
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

  /** OpenRouter's models, cached for five minutes. The list is public and needs no key. @throws ProviderError */
  async catalogue(signal: AbortSignal): Promise<Catalogue> {
    if (this.cached && this.cached.until > performance.now()) return this.cached.catalogue;
    const provider = this.remote.openrouter;
    const models = await provider.listModels(signal);
    const catalogue = { data: models.map(catalogueItemOf) };
    // After a change of the settings during the call, the list belongs to another server.
    if (provider === this.remote.openrouter) {
      this.cached = { catalogue, until: performance.now() + CATALOGUE_LIFETIME_MS };
    }
    return catalogue;
  }

  /** Checks key and base URL of a provider. Failures of the provider are reported in the result, not thrown. */
  async testConnection(id: ProviderId, signal: AbortSignal): Promise<TestProviderResponse> {
    if (!this.isSet(id)) return { ok: false, message: 'Neither an API key nor a base URL is set.' };
    const provider = this.remote[id];
    try {
      // OpenRouter lists its models without a valid key, so the key needs a check of its own.
      if (id === 'openrouter' && !this.config.openrouter.baseUrl) await provider.checkKey(signal);
      const { length } = await provider.listModels(signal);
      return { ok: true, message: `Connected. The provider lists ${length} ${length === 1 ? 'model' : 'models'}.` };
    } catch (error) {
      if (error instanceof ProviderError) return { ok: false, message: describeFailure(error) };
      throw error;
    }
  }

  /** Closes all connections after running answers have finished. */
  async close(): Promise<void> {
    await Promise.all([this.remote.openrouter.close(), this.remote.openai.close(), this.local?.close()]);
  }

  private isSet(id: ProviderId): boolean {
    const { apiKey, baseUrl } = this.config[id];
    return apiKey !== null || baseUrl !== null;
  }

  /** Resolves a model id with or without a maker's prefix; the server's first model stands in for an unknown one. */
  private localModelFor(modelId: string): string {
    const ids = this.localModels.map(({ id }) => id);
    const bare = modelId.slice(modelId.indexOf('/') + 1);
    return [modelId, bare].find((id) => ids.includes(id)) ?? ids[0] ?? modelId;
  }

  private connect(id: ProviderId, { apiKey, baseUrl }: ProviderAccess): OpenAiCompatibleProvider {
    return this.create(id, { baseUrl: baseUrl ?? PUBLIC_URLS[id], apiKey, mayBePrivate: baseUrl !== null });
  }

  private create(
    name: string,
    access: Pick<OpenAiCompatibleOptions, 'baseUrl' | 'apiKey' | 'mayBePrivate'>,
  ): OpenAiCompatibleProvider {
    return new OpenAiCompatibleProvider({ name, ...access, timings: this.timings });
  }
}

/** Removes the maker's prefix, which OpenAI's own ids do not have. */
function withoutOpenAi(modelId: string): string {
  return modelId.replace(/^openai\//, '');
}

function catalogueItemOf(model: ProviderModel): Catalogue['data'][number] {
  return {
    id: model.id,
    // Like a model created without a name: the id without the maker.
    name: model.name ?? model.id.slice(model.id.indexOf('/') + 1),
    description: model.description ?? undefined,
    context_length: model.contextLength ?? DEFAULT_CONTEXT_LENGTH,
  };
}

/** Describes a failure to an admin, with the cause. */
function describeFailure(error: ProviderError): string {
  if (error.adminMessage) return error.adminMessage;
  if (error.code === 'provider_auth') return 'The provider refused the API key.';
  if (error.code === 'provider_credit') return 'The provider account has no credit left.';
  if (error.status) return `The provider answered with status ${error.status}.`;
  return error.message;
}
