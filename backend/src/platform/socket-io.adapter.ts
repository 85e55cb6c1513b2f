import type { IncomingMessage } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { LIMITS, SOCKET_PATH } from '@tanya/contract';
import type { RequestHandler } from 'express';
import type { Redis } from 'ioredis';
import type { Server, ServerOptions } from 'socket.io';
import { localFirstAdapter } from './local-first-adapter.js';
import { isOwnOrigin } from './origin.js';

interface SocketAdapterOptions {
  publicUrl: URL | null;
  /** What a handshake goes through, in order: the page's session and the guest's cookie. */
  handshake: RequestHandler[];
  /** Two connections for fan-out between processes; null keeps it in this one. */
  redis: { publisher: Redis; subscriber: Redis } | null;
}

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

type HandshakeRequest = IncomingMessage & { _query?: { sid?: string } };

/** Socket.IO on the page's own server, with the page's own session and origin check at the handshake. */
export class SocketIoAdapter extends IoAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly options: SocketAdapterOptions,
  ) {
    super(app);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const { publicUrl, handshake, redis } = this.options;
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
      ...(redis === null ? {} : { adapter: localFirstAdapter(redis.publisher, redis.subscriber) }),
    } as unknown as ServerOptions);
    // These answers never pass through Express, which protects all others.
    server.engine.on('headers', (headers: Record<string, string>) => Object.assign(headers, HEADERS));
    for (const handler of handshake) {
      server.engine.use((request: HandshakeRequest, response: never, next: () => void) => {
        // Later polls of the same socket carry a sid.
        if (request._query?.sid !== undefined) next();
        else handler(request as never, response, next);
      });
    }
    return server;
  }
}
