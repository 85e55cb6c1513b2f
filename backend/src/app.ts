import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { LIMITS } from '@tanya/contract';
import express from 'express';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import { openResources } from './app.resources.js';
import { GuestCookies } from './auth/guest-cookies.js';
import { IdentityService } from './auth/identity.service.js';
import type { Env } from './config/env.js';
import { DEFAULT_TIMINGS, type Timings } from './config/timings.js';
import { serveApiDocs } from './api-docs/api-docs.js';
import type { AddressReader } from './platform/net/client-address.js';
import { askerFields } from './identity/asker.js';
import { publicApiErrors } from './public-api/public-api-error.js';
import { HttpErrorFilter } from './platform/http/http-error.filter.js';
import { boundConnections, forbidCaching, refuseStrangeMethods } from './platform/http/http-server.js';
import { nestLogger, requestId } from './platform/observability/logging.js';
import { Metrics } from './platform/observability/metrics.js';
import { servePage } from './platform/http/web-client.js';
import { ADDRESS_READER, type Resources } from './platform/platform.module.js';
import { contentSecurityPolicy } from './platform/http/content-security-policy.js';
import { logRequests } from './platform/http/request-log.middleware.js';
import { createSessionMiddleware } from './platform/session/session.js';
import { SocketIoAdapter } from './platform/sockets/socket-io.adapter.js';
import { guardStateChanges, requireBodyType } from './platform/http/state-change.middleware.js';
import { createValidationPipe } from './platform/http/validation.pipe.js';
import type { WorkerInfo } from './platform/sockets/sticky-sessions.js';

declare module 'http' {
  interface IncomingMessage {
    /** The id that this request's log line and error body share. */
    id: string;
  }
}

/** The one call whose JSON may carry attachments as data URLs. */
const LARGE_BODY_PATH = '/api/chat/message';

/** The one call that takes a file instead of JSON. */
const UPLOAD_PATH = '/api/files';

/**
 * Calls that a browser makes with its cookies; `/api/v1` knows keys alone, and whether the server is well is nobody's.
 * Routes match in any case, so this must too.
 */
const COOKIE_CALL = /^\/api\/(?!(v1|health|docs|docs-json)(\/|$))/i;

const CALL = /^\/api\//i;

const only =
  (paths: RegExp, handler: express.RequestHandler): express.RequestHandler =>
  (request, response, next) =>
    paths.test(request.path) ? handler(request, response, next) : next();

async function installMiddleware(
  app: NestExpressApplication,
  resources: Resources,
  worker: WorkerInfo | null,
): Promise<void> {
  const { env, secrets, dataSource, redis, connectRedis } = resources;
  const session = createSessionMiddleware(env, secrets, dataSource, redis);
  boundConnections(app.getHttpServer());
  app.set('trust proxy', false);
  app.disable('x-powered-by');
  app.use((request: express.Request, response: express.Response, next: express.NextFunction) => {
    request.id = requestId(request.headers['x-request-id']);
    response.setHeader('X-Request-Id', String(request.id));
    next();
  });
  app.use(logRequests(resources.logger, app.get(Metrics), askerFields));
  app.use(helmet(contentSecurityPolicy(env.publicUrl)), refuseStrangeMethods, forbidCaching);
  const guest = app.get(GuestCookies).middleware;
  const identity = app.get(IdentityService).middleware;
  app.use(only(COOKIE_CALL, guardStateChanges(env.publicUrl)));
  app.use(only(CALL, requireBodyType(UPLOAD_PATH)));
  for (const handler of [session, guest, identity]) app.use(only(COOKIE_CALL, handler));
  app.use(serveApiDocs(app));
  app.use(servePage(guest as express.RequestHandler));
  const small = express.json({ limit: LIMITS.jsonBytes });
  app.use((request: express.Request, response: express.Response, next: express.NextFunction) => {
    if (request.path === LARGE_BODY_PATH) next();
    else small(request, response, next);
  });
  const fanOut =
    connectRedis === null
      ? null
      : { publisher: await connectRedis(), subscriber: await connectRedis({ blocking: true }) };
  app.useWebSocketAdapter(
    new SocketIoAdapter(app, {
      publicUrl: env.publicUrl,
      readAddress: app.get<AddressReader>(ADDRESS_READER),
      handshake: [session, guest],
      redis: fanOut,
      worker,
    }),
  );
}

/**
 * The whole product on one HTTP server, ready to listen. `main.ts` and the tests both call it.
 * @param options.timings scales the waits, for the fault harness
 * @param options.signal ends the waiting for Postgres and Redis
 * @param options.worker this process among several on one port
 */
export async function createApp(options: {
  env: Env;
  timings?: Partial<Timings>;
  signal?: AbortSignal;
  worker?: WorkerInfo | null;
}): Promise<INestApplication> {
  const resources = await openResources(options.env, { ...DEFAULT_TIMINGS, ...options.timings }, options.signal);
  try {
    const app = await NestFactory.create<NestExpressApplication>(AppModule.register(resources), {
      logger: nestLogger(resources.logger),
      bodyParser: false,
      abortOnError: false,
    });
    await installMiddleware(app, resources, options.worker ?? null);
    app.useGlobalPipes(createValidationPipe());
    app.useGlobalFilters(new HttpErrorFilter(resources.logger, [publicApiErrors]));
    return app;
  } catch (error) {
    await resources.close();
    throw error;
  }
}
