import { randomUUID } from 'node:crypto';
import { type Actor, ACTORS, type Belongings, textFile } from './routes-harness.js';
import { audioForm } from '../harness/uploads.js';
import { PASSWORD } from '../harness/test-app.js';

/** Objects that a call can address. */
export interface Objects extends Belongings {
  userId: number;
  model: { id: number; modelId: string };
}

export interface RouteCase {
  path?: (objects: Objects) => string;
  body?: (objects: Objects) => unknown;
  raw?: () => FormData;
  expected: Record<Actor, number>;
  /** The call addresses an object of an owner, so it is also tested with a guest's. */
  belongs?: true;
  /** The call changes the identity of its client. */
  ends?: true;
}

const of = (statuses: Partial<Record<Actor, number>>, rest: number): Record<Actor, number> =>
  Object.fromEntries(ACTORS.map((actor) => [actor, statuses[actor] ?? rest])) as Record<Actor, number>;

/** Calls of the page ignore API keys: a client with a key and no cookie is a new guest. */
const all = (status: number) => of({}, status);
const members = (status: number) => of({ visitor: 401, guest: 401, key: 401 }, status);
const admins = (status: number) => of({ visitor: 401, guest: 401, key: 401, admin: status }, 403);
const owners = (status: number) => of({ owner: status }, 404);
const keys = (status: number) => of({ key: status }, 401);

const thread = ({ threadId }: Objects) => `/api/chat/threads/${threadId}`;
const feedback = ({ aiMessageId }: Objects) => `/api/chat/messages/${aiMessageId}/feedback`;
const model = ({ model: { id } }: Objects) => `/api/admin/models/${id}`;
/** No such server: the calls change nothing. */
const toolServer = () => '/api/admin/tool-servers/2147483647';
/** No such project: the calls change nothing. */
const project = () => '/api/projects/2147483647';
const projectFile = ({ fileId }: Objects) => `${project()}/files/${fileId}`;
/** No such provider: the calls change nothing. */
const identityProvider = () => '/api/admin/identity-providers/2147483647';
/** No such group: the calls change nothing. */
const group = () => '/api/admin/groups/2147483647';
const user = ({ userId }: Objects) => `/api/admin/users/${userId}`;
const completion = () => ({ messages: [{ role: 'user', content: 'Hello' }] });
const unknownResponse = () => `resp_${randomUUID().replaceAll('-', '')}`;
const aModelId = () => ({ modelId: `scripted/${randomUUID()}`, name: 'New', provider: 'Scripted' });

/** Status of every route for each actor. A route that is missing here fails the test. */
export const ROUTES: Record<string, RouteCase> = {
  'GET /api/health/live': { expected: all(200) },
  'GET /api/health/ready': { expected: all(200) },
  // All clients here come through a proxy; `metrics` tests direct calls.
  'GET /metrics': { expected: all(404) },
  'GET /api/docs': { expected: all(200) },
  'GET /api/docs-json': { expected: all(200) },
  'GET /api/docs/init.js': { expected: all(200) },
  'GET /api/docs/:asset': { path: () => '/api/docs/swagger-ui.css', expected: all(200) },

  'POST /api/login': {
    body: () => ({ username: 'unknown-name', password: PASSWORD }),
    ends: true,
    expected: all(401),
  },
  'POST /api/login/passkey/options': { expected: all(200) },
  'POST /api/login/passkey': { body: () => ({ response: {} }), ends: true, expected: all(401) },
  'POST /api/register': {
    body: () => ({ username: `new-${randomUUID()}`, password: PASSWORD }),
    ends: true,
    expected: all(201),
  },
  'POST /api/register/confirm': { body: () => ({ token: 'unknown' }), expected: all(400) },
  'POST /api/logout': { ends: true, expected: all(200) },
  // The test app sends no mail.
  'POST /api/password-reset': { body: () => ({ email: 'ayu@example.com' }), expected: all(404) },
  'POST /api/password-reset/confirm': {
    body: () => ({ token: 'unknown', newPassword: `${PASSWORD} again` }),
    expected: all(404),
  },
  'GET /api/session': { expected: all(200) },
  'GET /api/user': { expected: members(200) },
  'PATCH /api/user': { body: () => ({ fullName: 'Renamed' }), expected: members(200) },
  'DELETE /api/user': { body: () => ({ password: PASSWORD }), ends: true, expected: members(200) },
  'GET /api/user/passkeys': { expected: members(200) },
  'POST /api/user/passkeys/options': { body: () => ({ password: PASSWORD }), expected: members(200) },
  'POST /api/user/passkeys': { body: () => ({ name: 'Phone', response: {} }), expected: members(400) },
  'DELETE /api/user/passkeys/:id': {
    path: () => '/api/user/passkeys/2147483647',
    body: () => ({ password: PASSWORD }),
    expected: members(404),
  },
  'POST /api/user/password': {
    body: () => ({ currentPassword: PASSWORD, newPassword: `${PASSWORD} again` }),
    ends: true,
    expected: members(200),
  },
  // Without an enrolment, so it precedes the next route.
  'POST /api/user/totp/confirm': { body: () => ({ code: '000000' }), expected: members(409) },
  'POST /api/user/totp/enroll': { body: () => ({ password: PASSWORD }), expected: members(200) },
  'POST /api/user/totp/disable': { body: () => ({ password: PASSWORD, code: '000000' }), expected: members(409) },
  'GET /api/user/sessions': { expected: members(200) },
  'DELETE /api/user/sessions/:id': { path: () => '/api/user/sessions/unknown', expected: members(404) },
  'POST /api/user/logout-everywhere': { ends: true, expected: members(200) },
  'POST /api/user/export': { body: () => ({ password: 'wrong' }), expected: members(401) },
  'GET /api/user/exports': { expected: members(200) },
  'GET /api/user/export/:id': { path: () => `/api/user/export/${randomUUID()}`, expected: members(404) },
  'GET /api/user/export/:id/file': {
    path: () => `/api/user/export/${randomUUID()}/file`,
    expected: members(404),
  },
  'GET /api/user/export': { expected: members(200) },
  'GET /api/user/preferences': { expected: members(200) },
  'PATCH /api/user/preferences': { body: () => ({ aboutMe: 'a sailor' }), expected: members(200) },
  'GET /api/user/quota': { expected: all(200) },
  'GET /api/user/retention': { expected: all(200) },
  'GET /api/user/message-count': { expected: all(200) },
  'GET /api/user/usage': { expected: members(200) },
  'GET /api/user/apikey': { expected: members(200) },
  'POST /api/user/apikey/generate': { ends: true, expected: members(200) },
  'POST /api/user/apikey/revoke': { ends: true, expected: members(200) },
  'GET /api/user/keys': { expected: members(200) },
  'POST /api/user/keys': { body: () => ({ name: 'program' }), expected: members(201) },
  // Keys of other accounts do not exist for a member: `api-keys/account-keys`.
  'PATCH /api/user/keys/:id': {
    path: () => '/api/user/keys/2147483646',
    body: () => ({ messageCap: null }),
    expected: members(404),
  },
  'DELETE /api/user/keys/:id': { path: () => '/api/user/keys/2147483646', expected: members(404) },

  'GET /api/general-settings': { expected: all(200) },
  'GET /api/settings/default-model': { expected: all(200) },
  'GET /api/logo': { expected: all(404) },
  // A program with a key has a wrong base URL: its call is `/api/v1/models`.
  'GET /api/models': { expected: of({ key: 404 }, 200) },
  'GET /api/conversation-starter': { expected: all(200) },
  // An image costs seven messages, and a guest has three.
  'POST /api/generate-image': {
    body: () => ({ prompt: 'a harbour' }),
    expected: of({ visitor: 403, guest: 403, key: 403 }, 200),
  },

  'GET /api/tools': { expected: all(200) },

  'GET /api/chat/threads': { expected: members(200) },
  'GET /api/chat/threads/:id/messages': { path: (o) => `${thread(o)}/messages`, expected: owners(200), belongs: true },
  'GET /api/chat/threads/:id/export': { path: (o) => `${thread(o)}/export`, expected: owners(200), belongs: true },
  'GET /api/chat/threads/:id': { path: thread, expected: owners(200), belongs: true },
  'PATCH /api/chat/threads/:id': {
    path: thread,
    body: () => ({ title: 'Renamed' }),
    expected: owners(200),
    belongs: true,
  },
  'DELETE /api/chat/threads/:id': { path: thread, expected: owners(200), belongs: true },
  'POST /api/chat/threads/batch': {
    body: ({ threadId }) => ({ action: 'pin', ids: [threadId] }),
    expected: all(200),
  },
  // The thread is not in the trash.
  'GET /api/chat/threads/:id/summary': { path: (o) => `${thread(o)}/summary`, expected: all(404) },
  'DELETE /api/chat/threads/:id/summary': { path: (o) => `${thread(o)}/summary`, expected: all(404) },
  // The thread is too short for one.
  'POST /api/chat/threads/:id/compact': { path: (o) => `${thread(o)}/compact`, expected: owners(400), belongs: true },
  'POST /api/chat/threads/:id/restore': { path: (o) => `${thread(o)}/restore`, expected: all(404) },
  'GET /api/chat/search': { path: () => '/api/chat/search?query=hello', expected: members(200) },
  'PUT /api/chat/messages/:id/feedback': {
    path: feedback,
    body: () => ({ rating: 'up', reason: 'clear' }),
    expected: owners(200),
    belongs: true,
  },
  'DELETE /api/chat/messages/:id/feedback': { path: feedback, expected: owners(200), belongs: true },
  // No transcription model is chosen.
  'POST /api/chat/transcribe': { raw: audioForm, expected: members(400) },
  'POST /api/chat/message': { body: () => ({ content: 'Hello' }), expected: all(201) },
  'POST /api/chat/generations/:id/stop': {
    path: ({ generationId }) => `/api/chat/generations/${generationId}/stop`,
    expected: owners(200),
    belongs: true,
  },

  'POST /api/chat/threads/:id/share': {
    path: (o) => `${thread(o)}/share`,
    body: () => ({ expiresAt: '2099-01-01T00:00:00.000Z' }),
    expected: of({ owner: 201, visitor: 401, guest: 401, key: 401 }, 404),
  },
  'POST /api/chat/threads/:id/duplicate': {
    path: (o) => `${thread(o)}/duplicate`,
    expected: of({ owner: 201, visitor: 401, guest: 401, key: 401 }, 404),
  },
  'GET /api/user/shares': { expected: members(200) },
  'DELETE /api/user/shares/:token': { path: () => '/api/user/shares/unknown', expected: members(404) },
  'POST /api/user/import': { raw: textFile, expected: members(202) },
  'GET /api/user/import': { expected: members(200) },
  'GET /api/user/import/:id': { path: () => `/api/user/import/${randomUUID()}`, expected: members(404) },
  'GET /api/user/import/:id/conversations': {
    path: () => `/api/user/import/${randomUUID()}/conversations`,
    expected: members(404),
  },
  'DELETE /api/user/import/:id': { path: () => `/api/user/import/${randomUUID()}`, expected: members(404) },
  'GET /api/share/:token': { path: () => '/api/share/unknown', expected: all(404) },
  'GET /api/share/:token/files/:fileId': {
    path: ({ fileId }) => `/api/share/unknown/files/${fileId}`,
    expected: all(404),
  },
  'POST /api/share/:token/continue': { path: () => '/api/share/unknown/continue', expected: all(404) },
  'GET /api/admin/shares': { expected: admins(200) },
  'GET /api/admin/embeddings': { path: () => '/api/admin/embeddings?modelId=unknown', expected: admins(400) },
  // The answer has no such call.
  'POST /api/chat/generations/:id/approve': {
    path: ({ generationId }) => `/api/chat/generations/${generationId}/approve`,
    body: () => ({ callId: 'call', allow: true }),
    expected: all(404),
  },

  'POST /api/files': { raw: textFile, expected: all(201) },
  'GET /api/files/:id': { path: ({ fileId }) => `/api/files/${fileId}`, expected: owners(200), belongs: true },

  'GET /api/admin/search': { expected: admins(200) },
  'POST /api/admin/search/test': { body: () => ({}), expected: admins(200) },

  'GET /api/admin/tool-servers': { expected: admins(200) },
  // The server does not answer; it is registered all the same.
  'POST /api/admin/tool-servers': {
    body: () => ({ name: `Server ${randomUUID()}`, url: 'http://127.0.0.1:9/mcp' }),
    expected: admins(201),
  },
  'POST /api/admin/tool-servers/test': { body: () => ({ url: 'http://127.0.0.1:9/mcp' }), expected: admins(200) },
  'GET /api/admin/tool-servers/:id': { path: toolServer, expected: admins(404) },
  'PATCH /api/admin/tool-servers/:id': {
    path: toolServer,
    body: () => ({ name: 'Renamed' }),
    expected: admins(404),
  },
  'POST /api/admin/tool-servers/:id/refresh': { path: () => `${toolServer()}/refresh`, expected: admins(404) },
  'DELETE /api/admin/tool-servers/:id': { path: toolServer, expected: admins(404) },

  'GET /api/projects': { expected: members(200) },
  'POST /api/projects': { body: () => ({ name: 'New' }), expected: members(201) },
  'GET /api/projects/:id': { path: project, expected: members(404) },
  'PATCH /api/projects/:id': { path: project, body: () => ({ name: 'Renamed' }), expected: members(404) },
  'DELETE /api/projects/:id': { path: project, expected: members(404) },
  'PUT /api/projects/:id/members': {
    path: () => `${project()}/members`,
    body: () => ({ members: [] }),
    expected: members(404),
  },
  'GET /api/projects/:id/files': { path: () => `${project()}/files`, expected: members(404) },
  'POST /api/projects/:id/files': { path: () => `${project()}/files`, raw: textFile, expected: members(404) },
  'GET /api/projects/:id/files/:fileId': { path: projectFile, expected: members(404) },
  'DELETE /api/projects/:id/files/:fileId': { path: projectFile, expected: members(404) },
  'GET /api/projects/:id/files/:fileId/sections': {
    path: (objects) => `${projectFile(objects)}/sections`,
    expected: members(404),
  },
  'GET /api/projects/:id/files/:fileId/pages/:page': {
    path: (objects) => `${projectFile(objects)}/pages/1`,
    expected: members(404),
  },
  'GET /api/projects/:id/search': { path: () => `${project()}/search?q=word`, expected: members(404) },
  'DELETE /api/projects/:id/members/:userId': {
    path: ({ userId }) => `${project()}/members/${userId}`,
    expected: members(404),
  },
  'GET /api/auth/providers': { expected: all(200) },
  // No such provider.
  'GET /api/auth/oidc/:id/start': { path: () => '/api/auth/oidc/2147483647/start', expected: all(404) },
  'GET /api/auth/oidc/:id/callback': { path: () => '/api/auth/oidc/2147483647/callback', expected: all(404) },
  'POST /api/auth/oidc/complete': { body: () => ({ code: '123456' }), expected: all(400) },
  'POST /api/auth/oidc/:id/link': {
    path: () => '/api/auth/oidc/2147483647/link',
    body: () => ({ password: PASSWORD }),
    expected: members(404),
  },
  'POST /api/auth/oidc/:id/backchannel-logout': {
    path: () => '/api/auth/oidc/2147483647/backchannel-logout',
    body: () => ({ logout_token: 'token' }),
    expected: all(404),
  },
  'GET /api/user/identities': { expected: members(200) },
  'DELETE /api/user/identities/:id': { path: () => '/api/user/identities/2147483647', expected: members(404) },
  'GET /api/admin/identity-providers': { expected: admins(200) },
  'POST /api/admin/identity-providers': {
    body: () => ({
      label: 'Company',
      issuer: 'https://id.invalid',
      clientId: 'a',
      clientSecret: 'b',
      provision: 'open',
    }),
    expected: admins(201),
  },
  // The provider does not answer.
  'POST /api/admin/identity-providers/test': { body: () => ({ issuer: 'http://127.0.0.1:9' }), expected: admins(200) },
  'PATCH /api/admin/identity-providers/:id': {
    path: identityProvider,
    body: () => ({ label: 'Renamed' }),
    expected: admins(404),
  },
  'DELETE /api/admin/identity-providers/:id': { path: identityProvider, expected: admins(404) },

  'GET /api/admin/groups': { expected: admins(200) },
  'GET /api/admin/groups.csv': { expected: admins(200) },
  'POST /api/admin/groups': { body: () => ({ name: `Group ${randomUUID()}` }), expected: admins(201) },
  'PATCH /api/admin/groups/:id': { path: group, body: () => ({ name: 'Renamed' }), expected: admins(404) },
  'DELETE /api/admin/groups/:id': { path: group, expected: admins(404) },
  'GET /api/admin/groups/:id/members': { path: () => `${group()}/members`, expected: admins(404) },
  'PUT /api/admin/groups/:id/members': {
    path: () => `${group()}/members`,
    body: ({ userId }) => ({ userIds: [userId] }),
    expected: admins(404),
  },
  'POST /api/admin/groups/:id/members': {
    path: () => `${group()}/members`,
    body: ({ userId }) => ({ add: [userId] }),
    expected: admins(404),
  },

  'GET /api/admin/models': { expected: admins(200) },
  'GET /api/admin/models/unlisted': { expected: admins(200) },
  'POST /api/admin/models': { body: aModelId, expected: admins(201) },
  // The unknown ids are reported.
  'POST /api/admin/models/import': {
    body: () => ({ connectionId: null, modelIds: ['none/such'] }),
    expected: admins(200),
  },
  'POST /api/admin/models/batch': {
    body: ({ model: { id } }) => ({ ids: [id], changes: { access: 'premium' } }),
    expected: admins(200),
  },
  'GET /api/admin/models/problems': { expected: admins(200) },
  'GET /api/admin/models/:id/uses': { path: (o) => `${model(o)}/uses`, expected: admins(200) },
  'PATCH /api/admin/models/:id': { path: model, body: () => ({ name: 'Renamed' }), expected: admins(200) },
  'PATCH /api/admin/models/:id/status': {
    path: (o) => `${model(o)}/status`,
    body: () => ({ isEnabled: false }),
    expected: admins(200),
  },
  'PATCH /api/admin/models/:id/api-status': {
    path: (o) => `${model(o)}/api-status`,
    body: () => ({ isApiEnabled: false }),
    expected: admins(200),
  },
  'GET /api/admin/models/:id/prices': { path: (o) => `${model(o)}/prices`, expected: admins(200) },
  'DELETE /api/admin/models/:id': { path: model, expected: admins(200) },
  'GET /api/admin/openrouter/models': { expected: admins(200) },
  'GET /api/admin/settings/default-model': { expected: admins(200) },
  'PUT /api/admin/settings/default-model': {
    body: ({ model: { modelId } }) => ({ modelId }),
    expected: admins(200),
  },
  'PATCH /api/admin/general-settings': { body: () => ({ siteTitle: 'Renamed' }), expected: admins(200) },
  // The fixture is a text, and no picture.
  'PUT /api/admin/logo': { raw: textFile, expected: admins(415) },
  'DELETE /api/admin/logo': { expected: admins(200) },
  'POST /api/admin/settings/test-provider': { body: () => ({ provider: 'openai' }), expected: admins(200) },

  'GET /api/admin/connections': { expected: admins(200) },
  'POST /api/admin/connections': {
    body: () => ({ kind: 'openai', name: `Connection ${randomUUID()}` }),
    expected: admins(201),
  },
  'POST /api/admin/connections/test': { body: () => ({ id: 1 }), expected: admins(200) },
  'PATCH /api/admin/connections/:id': {
    path: () => '/api/admin/connections/1',
    body: () => ({ name: 'OpenRouter' }),
    expected: admins(200),
  },
  // The built-in connections cannot be deleted.
  'DELETE /api/admin/connections/:id': { path: () => '/api/admin/connections/1', expected: admins(409) },
  'DELETE /api/admin/connections/:id/adaptations': {
    path: () => '/api/admin/connections/1/adaptations',
    expected: admins(200),
  },
  'GET /api/admin/connections/:id/models': { path: () => '/api/admin/connections/1/models', expected: admins(200) },

  'GET /api/admin/feedback': { expected: admins(200) },
  'GET /api/admin/usage': { expected: admins(200) },
  'GET /api/admin/usage.csv': { expected: admins(200) },

  'GET /api/admin/keys': { expected: admins(200) },
  'GET /api/admin/keys.csv': { expected: admins(200) },
  'PATCH /api/admin/keys/:id': {
    path: () => '/api/admin/keys/2147483646',
    body: () => ({ messageCap: 1 }),
    expected: admins(404),
  },
  'DELETE /api/admin/keys/:id': { path: () => '/api/admin/keys/2147483646', expected: admins(404) },
  // Admins make no keys of people.
  'POST /api/admin/users/:id/keys': {
    path: (o) => `${user(o)}/keys`,
    body: () => ({ name: 'program' }),
    expected: admins(403),
  },

  'POST /api/admin/alerts/test': { expected: admins(409) },

  'GET /api/admin/retention': { expected: admins(200) },
  // A longer time holds at once.
  'PUT /api/admin/retention': { body: () => ({ guest: 2 }), expected: admins(200) },

  'GET /api/admin/failures': { expected: admins(200) },
  'GET /api/admin/failures.csv': { expected: admins(200) },

  'GET /api/admin/installation': { expected: admins(200) },

  'GET /api/admin/audit': { expected: admins(200) },
  'GET /api/admin/audit.csv': { expected: admins(200) },

  'GET /api/admin/users': { expected: admins(200) },
  'GET /api/admin/users.csv': { expected: admins(200) },
  'POST /api/admin/users': {
    body: () => ({ username: `made-${randomUUID()}`, password: PASSWORD }),
    expected: admins(201),
  },
  'POST /api/admin/users/batch': {
    body: () => ({ ids: [2147483647], changes: { isPremium: true } }),
    expected: admins(200),
  },
  'PATCH /api/admin/users/:id': { path: user, body: () => ({ fullName: 'Renamed' }), expected: admins(200) },
  'PATCH /api/admin/users/:id/premium': {
    path: (o) => `${user(o)}/premium`,
    body: () => ({ isPremium: true }),
    expected: admins(200),
  },
  'POST /api/admin/users/:id/reset-password': {
    path: (o) => `${user(o)}/reset-password`,
    body: () => ({ newPassword: `${PASSWORD} reset` }),
    expected: admins(200),
  },
  'POST /api/admin/users/:id/end-sessions': { path: (o) => `${user(o)}/end-sessions`, expected: admins(200) },
  'POST /api/admin/users/:id/reset-totp': { path: (o) => `${user(o)}/reset-totp`, expected: admins(200) },
  'POST /api/admin/users/:id/reset-usage': { path: (o) => `${user(o)}/reset-usage`, expected: admins(200) },
  'DELETE /api/admin/users/:id': { path: user, expected: admins(200) },

  'GET /api/admin/invitations': { expected: admins(200) },
  'POST /api/admin/invitations': { body: () => ({}), expected: admins(201) },
  'DELETE /api/admin/invitations/:id': { path: () => '/api/admin/invitations/2147483647', expected: admins(404) },

  'POST /api/v1/chat': { body: completion, expected: keys(200) },
  'POST /api/v1/chat/completions': { body: completion, expected: keys(200) },
  'POST /api/v1/embeddings': {
    body: () => ({ model: 'text-embedding-3-small', input: 'Hello' }),
    expected: keys(200),
  },
  'POST /api/v1/images/generations': { body: () => ({ prompt: 'a cat' }), expected: keys(200) },
  'POST /api/v1/audio/transcriptions': { raw: audioForm, expected: keys(200) },
  'POST /api/v1/messages': {
    body: () => ({ ...completion(), model: 'openai/gpt-4o-mini', max_tokens: 100 }),
    expected: keys(200),
  },
  'POST /api/v1/messages/count_tokens': {
    body: () => ({ ...completion(), model: 'openai/gpt-4o-mini' }),
    expected: keys(200),
  },
  'POST /api/v1/responses/compact': { body: () => ({ input: 'Hello' }), expected: keys(200) },
  'POST /api/v1/responses/input_tokens': { body: () => ({ input: 'Hello' }), expected: keys(200) },
  'POST /api/v1/responses': { body: () => ({ input: 'Hello' }), expected: keys(200) },
  // Responses have an id of their own; `public-api/stored-responses` tests those of other accounts.
  'GET /api/v1/responses/:id': { path: () => `/api/v1/responses/${unknownResponse()}`, expected: keys(404) },
  'DELETE /api/v1/responses/:id': { path: () => `/api/v1/responses/${unknownResponse()}`, expected: keys(404) },
  'GET /api/v1/models': { expected: keys(200) },
  'GET /api/v1/models/*id': { path: () => '/api/v1/models/openai/gpt-4o-mini', expected: keys(200) },
};
