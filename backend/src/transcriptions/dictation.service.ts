import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type DictationResponse, LIMITS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { FormField } from '../files/files.service.js';
import type { Identity } from '../identity/identity.js';
import { ModelsService } from '../models/models.service.js';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import { parseAnswer } from '../platform/json/json-text.js';
import { ProviderRegistry } from '../providers/registry.js';
import { SettingsService } from '../settings/settings.service.js';
import { type TranscriptionJob, TranscriptionsService } from './transcriptions.service.js';

const BOUNDS = { audioBytes: LIMITS.dictationBytes, fields: { count: 10, bytes: 1024 } };

/** A code such as `id` or `en-GB`. */
const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** What members dictate into the composer, transcribed by the model of the settings. */
@Injectable()
export class DictationService {
  constructor(
    private readonly transcriptions: TranscriptionsService,
    private readonly settings: SettingsService,
    private readonly models: ModelsService,
    private readonly providers: ProviderRegistry,
  ) {}

  /**
   * @param form a multipart request with `file` and perhaps `language`
   * @throws AppError `model_unavailable` without a model, `invalid` or as `TranscriptionsService`
   */
  async transcribe(identity: Identity, form: IncomingMessage): Promise<DictationResponse> {
    const model = this.modelOfSettings();
    return this.transcriptions.withAudio(identity, form, BOUNDS, async (audio) => {
      const body = await this.transcriptions.transcribe(identity, audio, {
        channel: 'dictation',
        clientMessageId: `dictation:${randomUUID()}`,
        requestHash: '',
        isRepeatable: false,
        ...model,
        fields: languageField(audio.fields),
        prompt: '',
        isJson: true,
      });
      // The provider's part has checked that the text is there.
      const { text } = (await parseAnswer(body)) as { text: string };
      return { text: text.trim() };
    });
  }

  /** @throws AppError `model_unavailable` */
  private modelOfSettings(): Pick<TranscriptionJob, 'modelId' | 'findConnection'> {
    const modelId = this.settings.get().transcriptionModelId;
    const model = modelId === null ? null : this.models.find(modelId);
    if (model === null || !this.providers.offersCalls(model.connectionId)) throw new AppError('model_unavailable');
    return { modelId: model.modelId, findConnection: () => () => this.providers.route(model) };
  }
}

/** The language for the upstream, which takes a code of two or three letters. Without one it finds the language itself. */
function languageField(fields: readonly FormField[]): FormField[] {
  const language = fields.find(([name]) => name === 'language')?.[1] ?? '';
  if (language === '') return [];
  if (!LANGUAGE.test(language)) throw invalidField('language', 'language must be a language code');
  return [['language', language.split('-')[0]!.toLowerCase()]];
}
