import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { API_LIMITS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { DetachedGenerations } from '../chat/generation/detached-generations.js';
import { FilesService, type StagedAudio } from '../files/files.service.js';
import { Staging } from '../files/upload/staging.js';
import type { Identity } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { estimateTokens } from '../providers/token-estimate.js';
import { ApiModels } from './api-models.js';
import { requestId } from './api-request.js';
import { transcriptionOf, upstreamFields } from './transcription-form.js';
import type { TranscriptionRequestDto } from './transcription-request.dto.js';

/** Uploads of audio files by one account, per minute. Each is written to disk before its model is known. */
const UPLOADS: RateLimit = { name: 'transcriptions', points: 60, window: 60 };

const MEGABYTE = 1024 * 1024;

const BOUNDS = {
  limitOf: () => API_LIMITS.transcriptionBytes,
  tooLarge: () =>
    new AppError('too_large', {
      reason: 'audio',
      params: { max: API_LIMITS.transcriptionBytes / MEGABYTE },
      details: [{ field: 'file', message: 'too large' }],
    }),
  fields: { count: API_LIMITS.transcriptionFields, bytes: API_LIMITS.transcriptionFieldBytes },
};

export interface TranscriptionResponse {
  /** Media type. */
  type: string;
  /** As the upstream sent it. */
  body: string;
}

/**
 * Transcriptions, relayed to a connection. Each call is a generation without a thread that costs one message. The audio file
 * passes through the staging folder on disk, so memory does not grow with its size.
 */
@Injectable()
export class TranscriptionsService {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly models: ApiModels,
    private readonly files: FilesService,
    private readonly staging: Staging,
    private readonly limits: RateLimits,
  ) {}

  /**
   * @param form a multipart request
   * @throws AppError `invalid`, `too_large`, `unsupported_type`, `model_unavailable`, `model_premium`, `quota_exceeded`,
   * `rate_limited`, `idempotency_mismatch` or the failure of the provider
   */
  async transcribe(
    identity: Identity,
    form: IncomingMessage,
    idempotencyKey: string | undefined,
  ): Promise<TranscriptionResponse> {
    const clientMessageId = requestId(idempotencyKey ?? randomUUID());
    await this.limits.consume(UPLOADS, identity.owner);
    const { fields, ...audio } = await this.files.stageAudio(form, BOUNDS);
    try {
      const request = await transcriptionOf(fields);
      // A random id is never repeated, so its request needs no hash of the content.
      const requestHash = await hashOf(request, idempotencyKey === undefined ? null : audio);
      return await this.relay(identity, request, {
        audio,
        clientMessageId,
        requestHash,
        isRepeatable: idempotencyKey !== undefined,
      });
    } finally {
      await this.staging.remove(audio.path);
    }
  }

  private async relay(
    identity: Identity,
    request: TranscriptionRequestDto,
    { audio, isRepeatable, ...id }: RelayedAudio,
  ): Promise<TranscriptionResponse> {
    const choose = this.models.connectionFor(this.models.find('transcription', request.model));
    const isJson = ['json', 'verbose_json'].includes(request.response_format ?? 'json');
    const { path, name, type, size } = audio;
    const file = { name, type, size, open: () => createReadStream(path) };
    let response: string | null = null;
    const started = await this.generations.start(identity, {
      channel: 'api',
      promptTokens: () => estimateTokens(request.prompt ?? ''),
      isFresh: !isRepeatable,
      ...id,
      modelId: request.model,
      kind: 'transcription',
      prompt: async () => null,
      call: async (signal) => {
        const choice = choose();
        const call = { model: choice.model, file, fields: upstreamFields(request), isJson };
        const { body, usage } = await choice.provider.transcribe(call, signal);
        response = body;
        return { content: isRepeatable ? body : null, connection: choice.connection, usage };
      },
    });
    await this.generations.written(identity.owner, started);
    const stored = async () => (await this.generations.answer(identity.owner, started.generationId)).text;
    return { type: isJson ? 'application/json' : 'text/plain', body: response ?? (await stored()) };
  }
}

interface RelayedAudio {
  audio: Omit<StagedAudio, 'fields'>;
  clientMessageId: string;
  requestHash: string;
  /** Whether the response is kept for a repeated Idempotency-Key. */
  isRepeatable: boolean;
}

async function hashOf(request: TranscriptionRequestDto, audio: { path: string } | null): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(['transcriptions', request]));
  if (audio !== null) {
    for await (const chunk of createReadStream(audio.path)) hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}
