import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import { openResources } from './app.resources.js';
import { auditAdminCalls } from './audit/audit.middleware.js';
import { GuestCookies } from './auth/guest-cookies.js';
import { IdentityService } from './auth/identity.service.js';
import type { Env } from './config/env.js';
import { DEFAULT_TIMINGS, type Timings } from './config/timings.js';
import { packageVersion } from './config/version.js';
import { RunRegistry } from './chat/generation/live/run-registry.js';
import { serveApiDocs } from './api-docs/api-docs.js';
import { FailureLog } from './failures/failure-log.js';
import type { AddressReader } from './platform/net/client-address.js';
import { clientFields } from './identity/client-fields.js';
import {
  isMessagesPath,
  isPublicApi,
  isWithoutAddress,
  refuseMisplaced,
  tidyAddress,
} from './public-api/api-addresses.js';
import { publicApiErrors } from './public-api/public-api-error.js';
import { QuotaHeaders } from './public-api/quota-headers.js';
import { serveOtherUpgrades } from './platform/clients/other-upgrades.js';
import { RequestsByAddress } from './platform/clients/requests-by-address.js';
import { closeSlowClients } from './platform/clients/slow-clients.js';
import { SharedClassAdapter } from './platform/fast-paths/shared-classes.js';
import { HttpErrorFilter } from './platform/http/http-error.filter.js';
import { limitConnections, forbidCaching, refuseUnknownMethods } from './platform/http/http-server.js';
import { nestLogger, requestId } from './platform/observability/logging.js';
import { Metrics } from './platform/observability/metrics.js';
import { allowAnyOrigin } from './platform/http/cross-origin.js';
import { serveWebClient } from './platform/http/web-client.js';
import { ADDRESS_READER, type Resources } from './platform/platform.module.js';
import { contentSecurityPolicy } from './platform/http/content-security-policy.js';
import { servePreviewDocument } from './platform/http/preview-document.js';
import { logRequests } from './platform/http/request-log.middleware.js';
import { readForm } from './platform/bodies/form-body.js';
import { readSmallBodies } from './platform/bodies/json-body.js';
import { traceRequests } from './platform/http/request-tracing.middleware.js';
import { createSessionMiddleware, sessionCookieName } from './platform/session/session.js';
import { SocketIoAdapter } from './platform/sockets/socket-io.adapter.js';
import { guardStateChanges, requireBodyType } from './platform/http/state-change.middleware.js';
import { createValidationPipe } from './platform/http/validation.pipe.js';
import type { WorkerInfo } from './platform/sockets/sticky-sessions.js';

declare module 'http' {
  interface IncomingMessage {
    /** Request id in the log line and in the error body. */
    id: string;
  }
}

/** Routes that read their body themselves (`ReadsJson`), after the caller is identified. */
const READS_ITSELF = /^\/api\/(v1\/.*|chat\/message\/?)$/i;

/** The routes that take a multipart form instead of JSON. */
const UPLOAD_PATHS = [
  '/api/files',
  '/api/admin/logo',
  '/api/user/import',
  '/api/chat/transcribe',
  '/api/v1/audio/transcriptions',
];

/** The route that takes a form, as its standard wants: an identity provider reports a logout. */
const FORM_ROUTE = /^\/api\/auth\/oidc\/\d+\/backchannel-logout\/?$/i;

/** Files of projects: an upload, or the id of a file to copy. */
const EITHER_PATH = /^\/api\/projects\/\d+\/files$/;

/**
 * Routes that identify clients by cookie. `/api/v1` takes API keys; health checks, API docs and the logo identify no client:
 * shared caches keep the logo, and must not keep the cookie of a guest with it. Express matches routes in any case, so this
 * does too.
 */
const COOKIE_ROUTE = /^\/api\/(?!(v1|health|docs|docs-json|logo)(\/|$))/i;

const API_ROUTE = /^\/api\//i;

/** Pages and calls of share links, which search engines must not list. */
const SHARED = /^\/(api\/)?share\//i;

const only =
  (paths: RegExp | ((path: string) => boolean), handler: express.RequestHandler): express.RequestHandler =>
  (request, response, next) => {
    const isOne = paths instanceof RegExp ? paths.test(request.path) : paths(request.path);
    return isOne ? handler(request, response, next) : next();
  };

async function installMiddleware(
  app: NestExpressApplication,
  resources: Resources,
  worker: WorkerInfo | null,
): Promise<void> {
  const { env, secrets, dataSource, redis, fanOut, tracing } = resources;
  const session = createSessionMiddleware(env, secrets, dataSource, redis);
  const readAddress = app.get<AddressReader>(ADDRESS_READER);
  const requestsByAddress = new RequestsByAddress(readAddress, { hasProxy: env.trustProxy !== null });
  limitConnections(app.getHttpServer());
  closeSlowClients(app.getHttpServer());
  serveOtherUpgrades(app.getHttpServer());
  requestsByAddress.watch(app.getHttpServer());
  app.set('trust proxy', false);
  app.disable('x-powered-by');
  app.use((request: express.Request, response: express.Response, next: express.NextFunction) => {
    request.id = requestId(request.headers['x-request-id']);
    response.setHeader('X-Request-Id', String(request.id));
    next();
  });
  app.use(tidyAddress);
  app.use(
    only(isMessagesPath, (request, response, next) => {
      // Anthropic's clients show this name of the request's id.
      response.setHeader('request-id', String(request.id));
      next();
    }),
  );
  app.use(logRequests(resources.logger, app.get(Metrics), clientFields));
  app.use(only(isPublicApi, allowAnyOrigin));
  app.use(requestsByAddress.middleware);
  if (tracing.isOn) app.use(traceRequests(tracing));
  app.use(helmet(contentSecurityPolicy(env.publicUrl)), refuseUnknownMethods, forbidCaching);
  app.use(
    only(SHARED, (_request, response, next) => {
      response.setHeader('X-Robots-Tag', 'noindex, nofollow');
      next();
    }),
  );
  app.use(refuseMisplaced);
  const guest = app.get(GuestCookies).middleware;
  const identity = app.get(IdentityService).middleware;
  app.use(only(COOKIE_ROUTE, guardStateChanges(env.publicUrl)));
  const hasCalls = (path: string): boolean => API_ROUTE.test(path) && !isWithoutAddress(path);
  app.use(only(hasCalls, requireBodyType(UPLOAD_PATHS, EITHER_PATH, FORM_ROUTE)));
  for (const handler of [session, guest, identity]) app.use(only(COOKIE_ROUTE, handler));
  app.use(serveApiDocs(app, { version: packageVersion(), sessionCookie: sessionCookieName(env) }));
  app.use(servePreviewDocument);
  app.use(serveWebClient(guest as express.RequestHandler));
  app.use(readSmallBodies(READS_ITSELF));
  app.use(only(FORM_ROUTE, readForm()));
  app.use(auditAdminCalls);
  const runs = app.get(RunRegistry);
  app.useWebSocketAdapter(
    new SocketIoAdapter(app, {
      publicUrl: env.publicUrl,
      readAddress,
      handshake: [session, guest],
      redis: fanOut,
      worker,
      isDraining: () => runs.isDraining,
    }),
  );
}

/**
 * Builds the server, ready to listen; used by `main.ts` and by the tests.
 * @param options.timings overrides for tests and fault injection
 * @param options.signal aborts the connection retries of the start
 * @param options.worker null when one process has the port for itself
 */
export async function createApp(options: {
  env: Env;
  timings?: Partial<Timings>;
  signal?: AbortSignal;
  worker?: WorkerInfo | null;
}): Promise<INestApplication> {
  const resources = await openResources(options.env, { ...DEFAULT_TIMINGS, ...options.timings }, options.signal);
  try {
    const app = await NestFactory.create<NestExpressApplication>(
      AppModule.register(resources),
      new SharedClassAdapter(),
      {
        logger: nestLogger(resources.logger),
        bodyParser: false,
        abortOnError: false,
      },
    );
    await installMiddleware(app, resources, options.worker ?? null);
    app.useGlobalPipes(createValidationPipe());
    const failures = app.get(FailureLog);
    app.useGlobalFilters(
      new HttpErrorFilter(
        resources.logger,
        [publicApiErrors(options.env.publicUrl, app.get(QuotaHeaders))],
        clientFields,
        (error, { id, identity }) => failures.recordRequest(error, id, identity),
      ),
    );
    return app;
  } catch (error) {
    await resources.close();
    throw error;
  }
}
