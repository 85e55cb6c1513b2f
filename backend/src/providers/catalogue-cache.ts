import type { Catalogue, CatalogueItem } from '@tanya/contract';
import type { Provider, ProviderModel } from './provider.js';

/** How long a model list is cached. OpenRouter's changes about once a day. */
const LIFETIME_MS = 5 * 60_000;

interface Listed {
  catalogue: Catalogue;
  byId: ReadonlyMap<string, CatalogueItem>;
  until: number;
}

/** The model lists of providers, cached. A replaced provider has no cached list. */
export class CatalogueCache {
  private readonly cached = new WeakMap<Provider, Listed>();
  private readonly reading = new WeakMap<Provider, Promise<Listed>>();

  /** Waits as long as the provider does for its list. @throws ProviderError */
  async read(provider: Provider): Promise<Catalogue> {
    return (await this.listed(provider)).catalogue;
  }

  /** The entries by their id. @throws ProviderError */
  async byId(provider: Provider): Promise<Listed['byId']> {
    return (await this.listed(provider)).byId;
  }

  /** An entry of a cached list, however old. */
  find(provider: Provider, modelId: string): CatalogueItem | undefined {
    return this.cached.get(provider)?.byId.get(modelId);
  }

  /** All who ask for a list at once share one call. */
  private listed(provider: Provider): Promise<Listed> | Listed {
    const known = this.cached.get(provider);
    if (known !== undefined && known.until > performance.now()) return known;
    return this.reading.get(provider) ?? this.startReading(provider);
  }

  private startReading(provider: Provider): Promise<Listed> {
    const reading = this.call(provider).finally(() => this.reading.delete(provider));
    this.reading.set(provider, reading);
    return reading;
  }

  private async call(provider: Provider): Promise<Listed> {
    // Nobody can end a call that others wait for; the provider limits its time.
    const models = await provider.listModels(new AbortController().signal);
    const data = models.map(catalogueItemOf);
    const byId = new Map(data.map((item) => [item.id, item]));
    const listed = { catalogue: { data }, byId, until: performance.now() + LIFETIME_MS };
    this.cached.set(provider, listed);
    return listed;
  }
}

function catalogueItemOf({ id, name, description, contextLength, capabilities }: ProviderModel): CatalogueItem {
  const reported = Object.entries(capabilities).filter(([, value]) => value !== null);
  return {
    id,
    // Like a model created without a name: the id without the maker.
    name: name ?? id.slice(id.indexOf('/') + 1),
    description: description ?? undefined,
    context_length: contextLength,
    ...Object.fromEntries(reported),
  };
}
