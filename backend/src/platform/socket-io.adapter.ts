import type { IncomingMessage } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { createShardedAdapter } from '@socket.io/redis-adapter';
import { LIMITS, SOCKET_PATH } from '@tanya/contract';
import type { RequestHandler } from 'express';
import type { Redis } from 'ioredis';
import type { Server, ServerOptions } from 'socket.io';
import { isOwnOrigin } from './origin.js';

interface SocketAdapterOptions {
  publicUrl: URL | null;
  session: RequestHandler;
  /** Two connections for fan-out between processes; null keeps it in this one. */
  redis: { publisher: Redis; subscriber: Redis } | null;
}

/** Socket.IO on the page's own server, with the page's own session and origin check at the handshake. */
export class SocketIoAdapter extends IoAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly options: SocketAdapterOptions,
  ) {
    super(app);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const { publicUrl, session, redis } = this.options;
    const server = super.createIOServer(port, {
      ...options,
      path: SOCKET_PATH,
      serveClient: false,
      transports: ['websocket', 'polling'],
      maxHttpBufferSize: LIMITS.socketMessageBytes,
      perMessageDeflate: false,
      httpCompression: false,
      allowRequest: (request: IncomingMessage, decide: (error: string | null, allowed: boolean) => void) =>
        decide(null, isOwnOrigin(request, publicUrl)),
      ...(redis === null ? {} : { adapter: createShardedAdapter(redis.publisher, redis.subscriber) }),
    } as unknown as ServerOptions) as Server;
    server.engine.use((request: IncomingMessage & { _query?: { sid?: string } }, response: never, next: () => void) => {
      // The session is read at the handshake alone; later polls of the same socket carry a sid.
      if (request._query?.sid !== undefined) next();
      else session(request as never, response, next);
    });
    return server;
  }
}
