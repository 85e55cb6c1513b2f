import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Socket as NetSocket } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { MessageMappingProperties } from '@nestjs/websockets';
import { type ErrorCode, LIMITS, SOCKET_PATH } from '@tanya/contract';
import type { RequestHandler } from 'express';
import type { Server, ServerOptions, Socket } from 'socket.io';
import { BoundedDecoder } from './bounded-decoder.js';
import type { AddressReader } from '../net/client-address.js';
import { localFirstAdapter } from './local-first-adapter.js';
import { JsonEncoder } from './json-encoder.js';
import { isOwnOrigin } from '../net/origin.js';
import type { RedisFanOut } from '../redis/redis.js';
import { disconnectSlowConsumers } from './slow-consumers.js';
import { SocketsByAddress } from './sockets-by-address.js';
import { proxyStickySessions, type WorkerInfo } from './sticky-sessions.js';

interface SocketAdapterOptions {
  publicUrl: URL | null;
  readAddress: AddressReader;
  /** Middleware of the handshake, in order: session, guest cookie. */
  handshake: RequestHandler[];
  /** Connections for fan-out between nodes; null for a single node. */
  redis: RedisFanOut | null;
  /** null when one process has the port for itself. */
  worker: WorkerInfo | null;
  isDraining: () => boolean;
}

/** `Server.errors.FORBIDDEN` of Engine.IO. */
const FORBIDDEN = 4;

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

type HandshakeRequest = IncomingMessage & { _query?: { sid?: string } };

export const isAck = (value: unknown): value is (answer: unknown) => void => typeof value === 'function';

/** Lets the event loop turn between two reads of a WebSocket: Node reads up to 2 MB at once, which is 300,000 pings. */
function readOnceATurn(socket: NetSocket): void {
  socket.on('data', () => {
    socket.pause();
    setImmediate(() => socket.resume());
  });
}

const isUpgrade = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined;

/** Refuses an upgrade with the body of a refused polling handshake; Engine.IO would answer 400 Bad request. */
function refuseUpgrade({ socket }: IncomingMessage, error: ErrorCode): void {
  const body = JSON.stringify({ code: FORBIDDEN, message: error });
  const head = [
    // A balancer tries the next node after a 503.
    `HTTP/1.1 ${error === 'shutting_down' ? '503 Service Unavailable' : '403 Forbidden'}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.on('error', () => undefined);
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** Socket.IO adapter that checks origin, address limit and session at the handshake. */
export class SocketIoAdapter extends IoAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly options: SocketAdapterOptions,
  ) {
    super(app);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const { publicUrl, readAddress, handshake, redis, worker, isDraining } = this.options;
    const byAddress = new SocketsByAddress(readAddress);
    const refusal = (request: IncomingMessage): ErrorCode | null => {
      if (!isOwnOrigin(request, publicUrl)) return 'foreign_origin';
      if (byAddress.isFull(request)) return 'rate_limited';
      // Polling clients stay: the balancer would send each of their requests to this node again.
      return isDraining() && isUpgrade(request) ? 'shutting_down' : null;
    };
    const server = super.createIOServer(port, {
      ...options,
      path: SOCKET_PATH,
      serveClient: false,
      // Upgrades on other paths are served as requests.
      destroyUpgrade: false,
      transports: ['websocket', 'polling'],
      maxHttpBufferSize: LIMITS.socketFrameBytes,
      parser: { Encoder: JsonEncoder, Decoder: BoundedDecoder },
      perMessageDeflate: false,
      httpCompression: false,
      allowRequest: (request: IncomingMessage, decide: (error: string | null, allowed: boolean) => void) => {
        const error = this.guarded(() => refusal(request));
        if (error !== null && isUpgrade(request)) refuseUpgrade(request, error);
        else decide(error, error === null);
      },
      ...(redis === null ? {} : { adapter: localFirstAdapter(redis.publisher, redis.subscriber) }),
    } as unknown as ServerOptions);
    byAddress.watch(server.engine);
    limitPollingPayloads(server.engine);
    disconnectSlowConsumers(server.engine);
    if (worker !== null) proxyStickySessions(server.engine as never, this.httpServer as HttpServer, worker);
    // Engine.IO's responses bypass Express and its security headers.
    server.engine.on('headers', (headers: Record<string, string>, request: IncomingMessage) => {
      Object.assign(headers, HEADERS);
      if (isUpgrade(request)) readOnceATurn(request.socket);
    });
    for (const handler of handshake) {
      server.engine.use((request: HandshakeRequest, response: never, next: () => void) => {
        // A request with a sid belongs to an open session. Engine.IO opens one for an empty sid.
        if (request._query?.sid) next();
        else handler(request as never, response, next);
      });
    }
    return server;
  }

  /** Refuses a handshake whose check fails: Engine.IO calls it in a listener, where an exception ends the process. */
  private guarded(check: () => ErrorCode | null): ErrorCode | null {
    try {
      return check();
    } catch (error) {
      this.logger.error(error);
      return 'internal';
    }
  }

  /** Binds plain listeners: Nest's observables per event and socket use as much memory as the socket itself. */
  override bindMessageHandlers(socket: Socket, handlers: MessageMappingProperties[]): void {
    for (const { message, callback } of handlers) {
      socket.on(message, (payload: unknown, ack: unknown) => void this.answer(callback(payload, ack), ack));
    }
  }

  private async answer(result: unknown, ack: unknown): Promise<void> {
    try {
      const answer = await result;
      // A failed handler has no result; SocketErrorFilter has acknowledged the event.
      if (answer !== undefined && isAck(ack)) ack(answer);
    } catch (error) {
      this.logger.error(error);
    }
  }
}

/** Separates the packets of a polling request. */
const SEPARATOR = '\x1e';

/** Packets of one polling request. A page that was offline sends some dozens. */
const MAX_PACKETS = 1_000;

interface Transport {
  name: string;
  onData: (payload: unknown) => void;
  onError: (message: string) => void;
}

interface Engine {
  on(event: 'connection', listener: (socket: { transport: Transport }) => void): unknown;
}

/**
 * Closes a connection whose polling request has too many packets: Engine.IO decodes all of them in one turn of the event
 * loop, 0.2 s for the 500,000 that fit into 1 MB. It has no option for their number.
 */
function limitPollingPayloads(engine: Engine): void {
  engine.on('connection', ({ transport }) => {
    if (transport.name !== 'polling') return;
    const decode = transport.onData.bind(transport);
    transport.onData = (payload) => {
      if (typeof payload === 'string' && hasTooMany(payload)) transport.onError('too many packets');
      else decode(payload);
    };
  });
}

function hasTooMany(payload: string): boolean {
  let packets = 1;
  for (let at = payload.indexOf(SEPARATOR); at !== -1; at = payload.indexOf(SEPARATOR, at + 1)) {
    packets += 1;
    if (packets > MAX_PACKETS) return true;
  }
  return false;
}
