import type { RequestHandler } from 'express';
import '../identity/identity.js';
import { handleAdminCall } from './audit-log.js';

/** All calls of admins. Express matches routes in any case, so this does too. */
const ADMIN_ROUTE = /^\/api\/admin(\/|$)/i;

/** Handles each admin call with its actor, for `recordChange`. Runs after the identity and the body are read. */
export const auditAdminCalls: RequestHandler = ({ path, identity }, _response, next) => {
  if (identity?.userId == null || !ADMIN_ROUTE.test(path)) return next();
  handleAdminCall({ actorId: identity.userId, key: identity.adminKey ?? null, address: identity.address }, next);
};
