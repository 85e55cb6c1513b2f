import type {
  EmbeddingRequest,
  ImageRequest,
  Provider,
  ProviderEventListener,
  ProviderImage,
  ProviderModel,
  ProviderRequest,
  RelayedJson,
  Transcription,
  TranscriptionRequest,
} from './provider.js';
import { ProviderError, type ProviderErrorCode } from './provider-error.js';

/** Receives the outcome of each call of a provider: null for a success. Must not throw. */
export type OutcomeListener = (failure: ProviderError | null) => void;

/** Failures of a request, over a connection that works. */
const REQUEST_FAILURES: readonly ProviderErrorCode[] = ['provider_context', 'provider_refused'];

/** Reports the outcome of each call of a provider. A call that its caller aborted has none. */
export class ObservedProvider implements Provider {
  constructor(
    private readonly provider: Provider,
    private readonly report: OutcomeListener,
  ) {}

  get name(): string {
    return this.provider.name;
  }

  stream(request: ProviderRequest, signal: AbortSignal, onEvents: ProviderEventListener): Promise<void> {
    return this.observe(this.provider.stream(request, signal, onEvents), signal);
  }

  generateImage(request: ImageRequest, signal: AbortSignal): Promise<ProviderImage> {
    return this.observe(this.provider.generateImage(request, signal), signal);
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<RelayedJson> {
    return this.observe(this.provider.embed(request, signal), signal);
  }

  transcribe(request: TranscriptionRequest, signal: AbortSignal): Promise<Transcription> {
    return this.observe(this.provider.transcribe(request, signal), signal);
  }

  listModels(signal: AbortSignal): Promise<ProviderModel[]> {
    return this.observe(this.provider.listModels(signal), signal);
  }

  close(): Promise<void> {
    return this.provider.close();
  }

  private async observe<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      const result = await call;
      this.report(null);
      return result;
    } catch (error) {
      const isOfConnection = error instanceof ProviderError && !REQUEST_FAILURES.includes(error.code);
      if (isOfConnection && !signal.aborted) this.report(error);
      throw error;
    }
  }
}
