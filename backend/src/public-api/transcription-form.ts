import type { FormField } from '../files/files.service.js';
import { invalidField } from '../platform/errors/app-error.js';
import { unsupportedField } from './json-fields.js';
import { validBody } from './lenient-validation.js';
import { TranscriptionRequestDto } from './transcription-request.dto.js';

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
export async function transcriptionOf(fields: readonly FormField[]): Promise<TranscriptionRequestDto> {
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
  if (request['timestamp_granularities[]'] !== undefined && request.response_format !== 'verbose_json')
    throw invalidField('timestamp_granularities[]', 'timestamp_granularities needs the response_format verbose_json');
  return request;
}

/** The fields as they go to the upstream, without the model. */
export function upstreamFields({
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
