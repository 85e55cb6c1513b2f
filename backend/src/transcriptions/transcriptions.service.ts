import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { UsageChannel } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { DetachedGenerations } from '../chat/generation/detached/detached-generations.js';
import { FilesService, type FormField, type StagedAudio } from '../files/files.service.js';
import { Staging } from '../files/upload/staging.js';
import type { Identity } from '../identity/identity.js';
import { filesTooLarge } from '../platform/errors/error-body.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import type { ChosenProvider } from '../providers/registry.js';
import { estimateTokens } from '../providers/token-estimate.js';

/** Uploads of audio files by one account, per minute. Each is written to disk before its model is known. */
const UPLOADS: RateLimit = { name: 'transcriptions', points: 60, window: 60 };

/** Size limits of a form, in bytes, and the number of its other fields. */
export interface FormBounds {
  audioBytes: number;
  fields: { count: number; bytes: number };
}

export interface TranscriptionJob {
  channel: UsageChannel;
  clientMessageId: string;
  requestHash: string;
  /** Whether the response is kept for a repeated `clientMessageId`. */
  isRepeatable: boolean;
  modelId: string;
  /** Finds the connection of the model for a new request. It is chosen when the call is made. */
  findConnection: () => () => ChosenProvider;
  /** Form fields for the upstream, under OpenAI's names, without the model. */
  fields: readonly FormField[];
  /** The text among them that the model reads. */
  prompt: string;
  /** Whether the response is a JSON object, by the requested format. */
  isJson: boolean;
}

/**
 * Transcriptions, relayed to a connection. Each call is a generation without a thread that costs one message. The audio file
 * passes through the staging folder on disk, so memory does not grow with its size.
 */
@Injectable()
export class TranscriptionsService {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly files: FilesService,
    private readonly staging: Staging,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Stages the audio of a multipart request while `use` runs.
   * @throws AppError `invalid`, `too_large`, `unsupported_type`, `rate_limited` or an error of `use`
   */
  async withAudio<T>(
    identity: Identity,
    form: IncomingMessage,
    { audioBytes, fields }: FormBounds,
    use: (audio: StagedAudio) => Promise<T>,
  ): Promise<T> {
    await this.limits.consume(UPLOADS, identity.owner);
    const tooLarge = () => filesTooLarge('audio', audioBytes, [{ field: 'file', message: 'too large' }]);
    const audio = await this.files.stageAudio(form, { limitOf: () => audioBytes, tooLarge, fields });
    try {
      return await use(audio);
    } finally {
      await this.staging.remove(audio.path);
    }
  }

  /**
   * Resolves when the transcription is charged.
   * @returns the response as the upstream sent it
   * @throws AppError `model_unavailable`, `model_premium`, `quota_exceeded`, `rate_limited`, `idempotency_mismatch` or the
   * failure of the provider
   */
  async transcribe(
    identity: Identity,
    { path, name, type, size }: StagedAudio,
    {
      clientMessageId,
      requestHash,
      isRepeatable,
      prompt,
      findConnection,
      fields,
      isJson,
      ...request
    }: TranscriptionJob,
  ): Promise<string> {
    const file = { name, type, size, open: () => createReadStream(path) };
    let response: string | null = null;
    const key = { clientMessageId, requestHash, isFresh: !isRepeatable };
    const started = await this.generations.start(identity, key, () => {
      const choose = findConnection();
      return {
        ...request,
        promptTokens: () => estimateTokens(prompt),
        kind: 'transcription',
        call: async (signal, onProvider) => {
          const chosen = choose();
          onProvider(chosen);
          const asked = { model: chosen.model, file, fields, isJson };
          const { body, usage } = await chosen.provider.transcribe(asked, signal);
          response = body;
          return { content: isRepeatable ? body : null, usage };
        },
      };
    });
    await this.generations.answer(identity.owner, started);
    return response ?? (await this.generations.storedAnswer(identity.owner, started.generationId)).choices[0].text;
  }
}
