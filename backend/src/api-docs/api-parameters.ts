import type { OpenAPIObject } from '@nestjs/swagger';
import { LIMITS, THREAD_STATES, USER_FILTERS, USER_SORTS } from '@tanya/contract';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;

const query = (name: string, schema: Parameter['schema'], description?: string): Parameter => ({
  name,
  in: 'query',
  required: false,
  schema,
  description,
});

const SEARCH = query('query', { type: 'string', maxLength: LIMITS.searchQuery }, 'Words to look for');

const PAGE = [
  query('limit', { type: 'integer', minimum: 1, maximum: LIMITS.listMax, default: LIMITS.listDefault }),
  query('before', { type: 'string' }, 'X-Next-Cursor header of the previous page'),
];

const DAY = { type: 'string', format: 'date' } as const;

const PERIOD = [
  query('from', DAY, 'First day, by UTC; 29 days before the last one by default'),
  query('to', DAY, 'Last day, by UTC; today by default'),
];

const AUDIT_FILTER = [
  query('actor', { type: 'string' }, 'Name or id of the admin'),
  query('action', { type: 'string' }, 'As in `user.update`'),
  query('target', { type: 'string' }, 'A kind (`user`), a kind with an id (`user:12`), or a name'),
  query('from', DAY, 'First day, by UTC'),
  query('to', DAY, 'Last day, by UTC'),
  query('query', { type: 'string', maxLength: LIMITS.searchQuery }, 'A part of a name or of a changed value'),
];

const FAILURE_FILTER = [
  query('from', DAY, 'First day, by UTC'),
  query('to', DAY, 'Last day, by UTC'),
  query('code', { type: 'string' }, 'Code of the error'),
  query('connectionId', { type: 'integer', minimum: 1 }),
  query('modelId', { type: 'string' }, 'As the request named it'),
  query('userId', { type: 'integer', minimum: 1 }),
  query('id', { type: 'string' }, 'Id of the answer or of the request'),
];

const USER_FILTER = [
  SEARCH,
  query('groupId', { type: 'integer', minimum: 1 }, 'Members of this group alone'),
  ...USER_FILTERS.map((name) => query(name, { type: 'boolean' })),
  query('plan', { type: 'string', enum: ['free', 'premium'] }),
];

const KEY_FILTER = [
  query('userId', { type: 'integer', minimum: 1 }, 'Keys of this account alone'),
  query('query', { type: 'string', maxLength: LIMITS.searchQuery }, 'A part of the name or of the username'),
];

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    'A repeated request with the same key gets the first response for 24 hours; a request that failed runs again',
};

/** Query and header parameters that routes read without a parameter decorator. */
const UNDECLARED: Record<string, Parameter[]> = {
  'get /api/chat/search': [SEARCH, ...PAGE],
  'get /api/chat/threads': [
    SEARCH,
    query('state', { type: 'string', enum: [...THREAD_STATES] }),
    query('projectId', { type: 'integer' }),
    ...PAGE,
  ],
  'get /api/projects/{id}/search': [query('q', { type: 'string' })],
  'get /api/projects/{id}/files/{fileId}/sections': [query('from', { type: 'integer', default: 0 })],
  'get /api/chat/threads/{id}/messages': PAGE,
  'get /api/chat/threads/{id}/export': [query('format', { type: 'string', enum: ['md', 'json'], default: 'md' })],
  'get /api/admin/audit': [...AUDIT_FILTER, ...PAGE],
  'get /api/admin/audit.csv': AUDIT_FILTER,
  'get /api/admin/embeddings': [query('modelId', { type: 'string' }, 'A model of the kind `embedding`')],
  'get /api/admin/failures': [...FAILURE_FILTER, ...PAGE],
  'get /api/admin/failures.csv': FAILURE_FILTER,
  'get /api/user/import/{id}/conversations': PAGE,
  'get /api/admin/users': [query('sort', { type: 'string', enum: [...USER_SORTS] }), ...USER_FILTER, ...PAGE],
  'get /api/admin/users.csv': USER_FILTER,
  'get /api/admin/keys': [...KEY_FILTER, ...PAGE],
  'get /api/admin/keys.csv': KEY_FILTER,
  'get /api/admin/usage': PERIOD,
  'get /api/admin/usage.csv': PERIOD,
  'get /api/user/usage': PERIOD,
  'post /api/v1/chat': [IDEMPOTENCY_KEY],
  'post /api/v1/chat/completions': [IDEMPOTENCY_KEY],
  'post /api/v1/embeddings': [IDEMPOTENCY_KEY],
  'post /api/v1/images/generations': [IDEMPOTENCY_KEY],
  'post /api/v1/audio/transcriptions': [IDEMPOTENCY_KEY],
  'post /api/v1/messages': [IDEMPOTENCY_KEY],
  'post /api/v1/responses': [IDEMPOTENCY_KEY],
  'post /api/v1/responses/compact': [IDEMPOTENCY_KEY],
  'get /api/v1/responses/{id}': [
    query('stream', { type: 'boolean' }, 'Reads the events, up to 10 minutes after the end'),
    query('starting_after', { type: 'integer', minimum: 0 }, 'sequence_number of the last event that the client has'),
  ],
};

/** Adds the parameters that Nest does not find: the undeclared ones and wildcards of the path. */
export function completeParameters(method: string, path: string, operation: Operation): void {
  const known = (operation.parameters ?? []) as Parameter[];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']): Parameter[] =>
    known.some((one) => one.in === 'path' && one.name === name)
      ? []
      : [{ name, in: 'path', required: true, schema: { type: 'string' } }],
  );
  operation.parameters = [...inPath, ...known, ...(UNDECLARED[`${method} ${path}`] ?? [])];
}
