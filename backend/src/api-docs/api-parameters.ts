import type { OpenAPIObject } from '@nestjs/swagger';
import { LIMITS, USER_SORTS } from '@tanya/contract';

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
  query('before', { type: 'string' }, 'The X-Next-Cursor header of the page before'),
];

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'A repeated request with it gets the first one’s answer for 24 hours',
};

/** What calls read of their queries and headers by hand, so that no signature says it. */
const READ_BY_HAND: Record<string, Parameter[]> = {
  'get /api/chat/threads': [SEARCH, ...PAGE],
  'get /api/chat/threads/{id}/messages': PAGE,
  'get /api/chat/threads/{id}/export': [query('format', { type: 'string', enum: ['md', 'json'], default: 'md' })],
  'get /api/admin/users': [SEARCH, query('sort', { type: 'string', enum: [...USER_SORTS] }), ...PAGE],
  'post /api/v1/chat': [IDEMPOTENCY_KEY],
  'post /api/v1/chat/completions': [IDEMPOTENCY_KEY],
};

/** Adds what Nest could not see: those, and the part of a path that a wildcard takes. */
export function completeParameters(method: string, path: string, operation: Operation): void {
  const known = (operation.parameters ?? []) as Parameter[];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']): Parameter[] =>
    known.some((one) => one.in === 'path' && one.name === name)
      ? []
      : [{ name, in: 'path', required: true, schema: { type: 'string' } }],
  );
  operation.parameters = [...inPath, ...known, ...(READ_BY_HAND[`${method} ${path}`] ?? [])];
}
