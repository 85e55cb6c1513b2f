import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { API_LIMITS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { Identity } from '../identity/identity.js';
import { TranscriptionsService } from '../transcriptions/transcriptions.service.js';
import { ApiModels } from './api-models.js';
import { idempotencyId } from './api-request.js';
import { transcriptionOf, upstreamFields } from './transcription-form.js';
import type { TranscriptionRequestDto } from './transcription-request.dto.js';

const BOUNDS = {
  audioBytes: API_LIMITS.transcriptionBytes,
  fields: { count: API_LIMITS.transcriptionFields, bytes: API_LIMITS.transcriptionFieldBytes },
};

export interface TranscriptionResponse {
  /** Media type. */
  type: string;
  /** As the upstream sent it. */
  body: string;
}

/** Transcriptions under OpenAI's form. */
@Injectable()
export class ApiTranscriptions {
  constructor(
    private readonly transcriptions: TranscriptionsService,
    private readonly models: ApiModels,
  ) {}

  /**
   * @param form a multipart request
   * @throws AppError `invalid` or as `TranscriptionsService`
   */
  async transcribe(
    identity: Identity,
    form: IncomingMessage,
    idempotencyKey: string | undefined,
  ): Promise<TranscriptionResponse> {
    const clientMessageId = idempotencyId(idempotencyKey ?? randomUUID());
    return this.transcriptions.withAudio(identity, form, BOUNDS, async (audio) => {
      const request = await transcriptionOf(audio.fields);
      // A random id is never repeated, so its request needs no hash of the content.
      const requestHash = await hashOf(request, idempotencyKey === undefined ? null : audio);
      const isJson = ['json', 'verbose_json'].includes(request.response_format ?? 'json');
      const body = await this.transcriptions.transcribe(identity, audio, {
        channel: 'api',
        clientMessageId,
        requestHash,
        isRepeatable: idempotencyKey !== undefined,
        modelId: request.model,
        choose: this.models.connectionFor(this.models.find(identity, 'transcription', request.model)),
        fields: upstreamFields(request),
        prompt: request.prompt ?? '',
        isJson,
      });
      return { type: isJson ? 'application/json' : 'text/plain', body };
    });
  }
}

async function hashOf(request: TranscriptionRequestDto, audio: { path: string } | null): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(['transcriptions', request]));
  if (audio !== null) {
    for await (const chunk of createReadStream(audio.path)) hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}
