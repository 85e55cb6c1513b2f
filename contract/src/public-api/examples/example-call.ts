import type { ModelKind } from '../../models/model-values.js';

export const EXAMPLE_CALLS = [
  'chat',
  'stream',
  'tools',
  'structured',
  'responses',
  'embeddings',
  'images',
  'transcriptions',
  'models',
] as const;

export type ExampleCall = (typeof EXAMPLE_CALLS)[number];

/** The address of each call below `/api/v1`. */
export const EXAMPLE_PATHS: Readonly<Record<ExampleCall, string>> = {
  chat: 'POST /chat/completions',
  stream: 'POST /chat/completions',
  tools: 'POST /chat/completions',
  structured: 'POST /chat/completions',
  responses: 'POST /responses',
  embeddings: 'POST /embeddings',
  images: 'POST /images/generations',
  transcriptions: 'POST /audio/transcriptions',
  models: 'GET /models',
};

/** The kinds of models that an example of their own calls. */
export type ExampleKind = Exclude<ModelKind, 'chat'>;

export interface ExampleContext {
  /** Base address of this installation. */
  origin: string;
  key: string;
  /** A model for chat. */
  model: string;
  /** Models of the other kinds; absent, those that a new installation lists. */
  models?: Readonly<Partial<Record<ExampleKind, string>>>;
}

export const embeddingExample = ({ models }: ExampleContext) => ({
  model: models?.embedding ?? 'text-embedding-3-small',
  input: ['Good morning', 'Selamat pagi'],
});

export const imageExample = ({ models }: ExampleContext) => ({
  model: models?.image ?? 'gpt-image-1',
  prompt: 'A fishing boat at sunrise',
});

export const transcriptionExample = ({ models }: ExampleContext) => ({
  model: models?.transcription ?? 'whisper-1',
  file: 'speech.wav',
});

/** The arguments of the function that the model may call in the example. */
export const WEATHER_EXAMPLE = {
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

export const WEATHER_QUESTION = 'What is the weather in Jakarta?';

/** The form of a structured answer. */
export const CITY_EXAMPLE = {
  name: 'city',
  strict: true,
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, people: { type: 'integer' } },
    required: ['name', 'people'],
    additionalProperties: false,
  },
};

export const CITY_QUESTION = 'How many people live in Jakarta?';
