import type { RequestHandler, Response } from 'express';
import '../identity/identity.js';
import { handleAdminCall } from './audit-log.js';

/** All calls of admins. Express matches routes in any case, so this does too. */
const ADMIN_ROUTE = /^\/api\/admin(\/|$)/i;

/** Time that a call may go on after its client has left. Longer than the timeout of any statement. */
const ABANDONED_MS = 120_000;

/** Handles each admin call with its actor, for `recordChange`. Runs after the identity and the body are read. */
export const auditAdminCalls: RequestHandler = ({ path, identity }, response, next) => {
  if (identity?.userId == null || !ADMIN_ROUTE.test(path)) return next();
  void handleAdminCall({ actorId: identity.userId, address: identity.address }, () => {
    next();
    return handled(response);
  });
};

/** Resolves when a call has its response. A client that leaves does not end its call. */
function handled(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const abandon = () => setTimeout(resolve, ABANDONED_MS).unref();
    response.once('finish', resolve);
    // The client may have left while the session was looked up: neither event follows then.
    if (response.closed) abandon();
    else response.once('close', () => void (response.writableFinished || abandon()));
  });
}
