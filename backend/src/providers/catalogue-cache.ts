import { type Catalogue, type CatalogueItem, DEFAULT_CONTEXT_LENGTH } from '@tanya/contract';
import type { Provider, ProviderModel } from './provider.js';

/** How long a model list is cached. OpenRouter's changes about once a day. */
const LIFETIME_MS = 5 * 60_000;

/** The model lists of providers, cached. A replaced provider has no cached list. */
export class CatalogueCache {
  private readonly cached = new WeakMap<Provider, { catalogue: Catalogue; until: number }>();

  /** @throws ProviderError */
  async read(provider: Provider, signal: AbortSignal): Promise<Catalogue> {
    const known = this.cached.get(provider);
    if (known !== undefined && known.until > performance.now()) return known.catalogue;
    const models = await provider.listModels(signal);
    const catalogue = { data: models.map(catalogueItemOf) };
    this.cached.set(provider, { catalogue, until: performance.now() + LIFETIME_MS });
    return catalogue;
  }

  /** An entry of a cached list, however old. */
  find(provider: Provider, modelId: string): CatalogueItem | undefined {
    return this.cached.get(provider)?.catalogue.data.find(({ id }) => id === modelId);
  }
}

function catalogueItemOf({ id, name, description, contextLength, capabilities }: ProviderModel): CatalogueItem {
  const reported = Object.entries(capabilities).filter(([, value]) => value !== null);
  return {
    id,
    // Like a model created without a name: the id without the maker.
    name: name ?? id.slice(id.indexOf('/') + 1),
    description: description ?? undefined,
    context_length: contextLength ?? DEFAULT_CONTEXT_LENGTH,
    ...Object.fromEntries(reported),
  };
}
