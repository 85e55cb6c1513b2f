import type { OpenAPIObject } from '@nestjs/swagger';
import {
  API_LIMITS,
  type ChatCompletion,
  type ChatCompletionChunk,
  type CompletionUsage,
  ERROR_CODES,
  type ErrorBody,
  type FieldError,
  type ModelList,
  type PublicApiError,
} from '@tanya/contract';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = NonNullable<Operation['responses']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const nullable: Schema = { type: 'string', nullable: true };
const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values });
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An object with every field of the contract's `T`, so that a new one has to be described too. */
const shape = <T>(properties: { [Name in keyof Required<T>]: Schema }, optional: (keyof T)[] = []): Schema => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name as keyof T));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
};

type Choice = ChatCompletion['choices'][number];
type ChunkChoice = ChatCompletionChunk['choices'][number];

/** What is answered, by name. */
export const ANSWER_SCHEMAS: Schemas = {
  ErrorBody: shape<ErrorBody>(
    {
      statusCode: integer,
      code: oneOf(...ERROR_CODES),
      message: text,
      retryable: { type: 'boolean' },
      requestId: text,
      retryAfter: { type: 'number', description: 'Seconds' },
      details: listOf(shape<FieldError>({ field: text, message: text })),
    },
    ['retryAfter', 'details'],
  ),
  PublicApiError: shape<PublicApiError>({
    error: shape<PublicApiError['error']>({ message: text, type: text, code: nullable, param: nullable }),
  }),
  CompletionUsage: shape<CompletionUsage>({
    prompt_tokens: integer,
    completion_tokens: integer,
    total_tokens: integer,
  }),
  ChatCompletion: shape<ChatCompletion>({
    id: text,
    object: oneOf('chat.completion'),
    created: { type: 'integer', description: 'Epoch seconds' },
    model: text,
    choices: listOf(
      shape<Choice>({
        index: integer,
        message: shape<Choice['message']>({ role: oneOf('assistant'), content: text }),
        finish_reason: oneOf('stop', 'length'),
      }),
    ),
    usage: ref('CompletionUsage'),
  }),
  ChatCompletionChunk: shape<ChatCompletionChunk>(
    {
      id: text,
      object: oneOf('chat.completion.chunk'),
      created: integer,
      model: text,
      choices: listOf(
        shape<ChunkChoice>({
          index: integer,
          delta: shape<ChunkChoice['delta']>({ role: oneOf('assistant'), content: text }, ['role', 'content']),
          finish_reason: { ...oneOf('stop', 'length'), nullable: true },
        }),
      ),
      usage: ref('CompletionUsage'),
    },
    ['usage'],
  ),
  Model: shape<ModelList['data'][number]>({ id: text, object: oneOf('model'), created: integer, owned_by: text }),
  ModelList: shape<ModelList>({ object: oneOf('list'), data: listOf(ref('Model')) }),
};

const part = (type: string, name: string, content: Schema): Schema => ({
  type: 'object',
  properties: { type: oneOf(type), [name]: content },
  required: ['type', name],
});

/** Fields whose validation is our own, so that their description can't be read off it. */
export const FIELD_SCHEMAS: Record<string, Record<string, Schema>> = {
  CompletionMessageDto: {
    content: {
      nullable: true,
      description: 'Empty or null for the assistant alone',
      oneOf: [
        text,
        listOf({
          oneOf: [
            part('text', 'text', text),
            part('image_url', 'image_url', {
              type: 'object',
              properties: { url: { type: 'string', description: 'A data URL of PNG, JPEG, GIF or WebP' } },
              required: ['url'],
            }),
          ],
        }),
      ],
    },
  },
  CompletionRequestDto: { stop: { oneOf: [text, { ...listOf(text), maxItems: API_LIMITS.stop }] } },
};

const json = (name: string) => ({ 'application/json': { schema: ref(name) } });

const header = (description: string) => ({ description, schema: text });

const COMPLETION: Responses[string] = {
  description: 'The answer; with `stream: true` as events that each carry a chunk, and a last one that says [DONE]',
  headers: {
    'x-ratelimit-limit-requests': header('Messages of the quota; -1 has no end'),
    'x-ratelimit-remaining-requests': header('Messages that are left of it'),
    'x-ratelimit-reset-requests': header('When it resets, such as 3600s; absent where it never does'),
  },
  content: { ...json('ChatCompletion'), 'text/event-stream': { schema: ref('ChatCompletionChunk') } },
};

const ANSWERS: Record<string, Responses[string]> = {
  '/api/v1/chat': COMPLETION,
  '/api/v1/chat/completions': COMPLETION,
  '/api/v1/models': { description: 'The models that may be asked for', content: json('ModelList') },
  '/api/v1/models/{id}': { description: 'One of them', content: json('Model') },
};

/** What a call answers. @param errors the name of the shape that its errors have */
export function responsesOf(path: string, { responses }: Operation, errors: string): Responses {
  const answer = ANSWERS[path];
  return { ...(answer ? { 200: answer } : responses), default: { description: 'Any error', content: json(errors) } };
}
