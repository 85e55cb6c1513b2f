import { settingsOf } from '@tanya/contract';
import type { Request } from 'express';

/** Fields of a request that change a secret of a provider or of another service. */
const SECRETS = ['apiKey', 'headers'];

/**
 * The calls that a key of scope `admin` may make, each with the fields that it may not send, as paths with dots. All others
 * are refused: those that create or change keys, sessions, passwords, second factors, admins, identity providers or secrets
 * of providers, and those that export. A new route is refused until it is listed here.
 */
export const ADMIN_KEY_ROUTES: Readonly<Record<string, readonly string[]>> = {
  'POST /api/admin/alerts/test': [],
  'GET /api/admin/audit': [],
  'GET /api/admin/connections': [],
  'POST /api/admin/connections': SECRETS,
  'POST /api/admin/connections/test': [],
  'PATCH /api/admin/connections/:id': SECRETS,
  'DELETE /api/admin/connections/:id/adaptations': [],
  'GET /api/admin/connections/:id/models': [],
  'GET /api/admin/embeddings': [],
  'GET /api/admin/failures': [],
  'GET /api/admin/feedback': [],
  // A second factor that is required, who has a password, and the keys of services.
  'PATCH /api/admin/general-settings': ['totpRequired', 'passwordLogin', ...settingsOf('key')],
  'GET /api/admin/groups': [],
  'POST /api/admin/groups': [],
  'PATCH /api/admin/groups/:id': [],
  'DELETE /api/admin/groups/:id': [],
  'GET /api/admin/groups/:id/members': [],
  'PUT /api/admin/groups/:id/members': [],
  'POST /api/admin/groups/:id/members': [],
  'GET /api/admin/identity-providers': [],
  'GET /api/admin/installation': [],
  'GET /api/admin/invitations': [],
  'POST /api/admin/invitations': [],
  'DELETE /api/admin/invitations/:id': [],
  'GET /api/admin/keys': [],
  'PUT /api/admin/logo': [],
  'DELETE /api/admin/logo': [],
  'GET /api/admin/models': [],
  'POST /api/admin/models': [],
  'POST /api/admin/models/batch': [],
  'POST /api/admin/models/import': [],
  'GET /api/admin/models/problems': [],
  'GET /api/admin/models/unlisted': [],
  'PATCH /api/admin/models/:id': [],
  'PATCH /api/admin/models/:id/status': [],
  'PATCH /api/admin/models/:id/api-status': [],
  'GET /api/admin/models/:id/prices': [],
  'GET /api/admin/models/:id/uses': [],
  'DELETE /api/admin/models/:id': [],
  'GET /api/admin/openrouter/models': [],
  'GET /api/admin/retention': [],
  'PUT /api/admin/retention': [],
  'GET /api/admin/search': [],
  'POST /api/admin/search/test': [],
  'GET /api/admin/settings/default-model': [],
  'PUT /api/admin/settings/default-model': [],
  'POST /api/admin/settings/test-provider': [],
  'GET /api/admin/shares': [],
  'GET /api/admin/tool-servers': [],
  'POST /api/admin/tool-servers': SECRETS,
  'POST /api/admin/tool-servers/test': [],
  'GET /api/admin/tool-servers/:id': [],
  'PATCH /api/admin/tool-servers/:id': SECRETS,
  'POST /api/admin/tool-servers/:id/refresh': [],
  'DELETE /api/admin/tool-servers/:id': [],
  'GET /api/admin/usage': [],
  'GET /api/admin/users': [],
  // Service accounts alone: a person needs a password.
  'POST /api/admin/users': ['password', 'isAdmin'],
  'POST /api/admin/users/batch': ['changes.isAdmin'],
  // A link to reset the password goes to the address.
  'PATCH /api/admin/users/:id': ['password', 'email', 'isAdmin'],
  'PATCH /api/admin/users/:id/premium': [],
  'POST /api/admin/users/:id/reset-usage': [],
  'DELETE /api/admin/users/:id': [],
};

/** Whether a key of scope `admin` may make this call, after its body is read. */
export function mayAdminKeyCall({ method, route, body }: Request): boolean {
  const { path } = route as { path: string };
  const forbidden = ADMIN_KEY_ROUTES[`${method} ${path}`];
  if (forbidden === undefined) return false;
  return !forbidden.some((field) => isSent(body, field));
}

function isSent(body: unknown, field: string): boolean {
  let value = body;
  for (const name of field.split('.')) {
    if (typeof value !== 'object' || value === null || !(name in value)) return false;
    value = (value as Record<string, unknown>)[name];
  }
  return true;
}
