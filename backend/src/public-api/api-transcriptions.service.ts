import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { API_LIMITS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { Identity } from '../identity/identity.js';
import { TranscriptionsService } from '../transcriptions/transcriptions.service.js';
import { ApiModels } from './api-models.js';
import { idempotencyId } from './api-request.js';
import { TranscriptionRequestDto } from './transcription-request.dto.js';
import type { FormField } from '../files/files.service.js';
import { invalidField } from '../platform/errors/app-error.js';
import { unsupportedField } from './json-fields.js';
import { validBody } from './program-body.js';

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
        findConnection: () => this.models.connectionFor(this.models.find(identity, 'transcription', request.model)),
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

/** Fields with several values. */
const LISTS = ['timestamp_granularities[]'];

/** Unsupported fields that change the answer, and the value that asks for the default. */
const UNSUPPORTED: Record<string, string | null> = {
  stream: 'false',
  'include[]': null,
  include: null,
  chunking_strategy: null,
  'known_speaker_names[]': null,
  'known_speaker_references[]': null,
};

/** Validates the fields of a form; an empty one is absent. @throws AppError `invalid` naming the field */
async function transcriptionOf(fields: readonly FormField[]): Promise<TranscriptionRequestDto> {
  const values = new Map<string, string | string[] | number>();
  for (const [name, value] of fields) {
    if (value === '') continue;
    if (Object.hasOwn(UNSUPPORTED, name) && value !== UNSUPPORTED[name]) throw unsupportedField(name);
    const earlier = values.get(name);
    if (LISTS.includes(name)) values.set(name, [...(Array.isArray(earlier) ? earlier : []), value]);
    else if (earlier === undefined) values.set(name, name === 'temperature' ? Number(value) : value);
    else throw invalidField(name, `${name} must be sent once`);
  }
  const request = await validBody(Object.fromEntries(values), TranscriptionRequestDto);
  if (request.response_format === 'verbose_json') return request;
  if (request['timestamp_granularities[]']?.includes('word'))
    throw invalidField('timestamp_granularities[]', 'word needs the response_format verbose_json');
  // The AI SDK sends the default, `segment`, beside any format. A list would change the hash of a request without it.
  return { ...request, 'timestamp_granularities[]': undefined };
}

/** The fields as they go to the upstream, without the model. */
function upstreamFields({
  language,
  prompt,
  response_format,
  temperature,
  'timestamp_granularities[]': granularities = [],
}: TranscriptionRequestDto): FormField[] {
  const single = { language, prompt, response_format, temperature };
  return [
    ...Object.entries(single).flatMap(([name, value]): FormField[] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
    ...granularities.map((value): FormField => ['timestamp_granularities[]', value]),
  ];
}
