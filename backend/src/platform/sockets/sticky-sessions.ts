import { createServer, type IncomingMessage, request as askOver, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Duplex, pipeline } from 'node:stream';

/** Id of a worker of this machine, and the folder with one Unix socket per worker. */
export interface WorkerInfo {
  id: number;
  folder: string;
}

interface Engine {
  generateId(request: IncomingMessage): string | Promise<string>;
  handleRequest(request: IncomingMessage, response: ServerResponse): void;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): unknown;
}

/**
 * Sticky sessions across workers. A polling request or upgrade may reach another worker than the one that holds its
 * session; it is proxied to that worker, whose id prefixes the session id. When the worker has ended, the session is
 * unknown and the client opens a new one. Handshakes are not proxied, so address limits see the client's own connection.
 */
export function proxyStickySessions(engine: Engine, server: Server, worker: WorkerInfo): void {
  const generateId = engine.generateId.bind(engine);
  const answer = engine.handleRequest.bind(engine);
  const upgrade = engine.handleUpgrade.bind(engine);
  const close = engine.close.bind(engine);
  const proxied = new Set<Duplex>();
  const track = (socket: Duplex, until: NodeJS.EventEmitter) => {
    proxied.add(socket);
    until.once('close', () => proxied.delete(socket));
  };
  const pathOf = (id: number) => join(worker.folder, `${id}.sock`);

  engine.generateId = async (request) => `${worker.id}.${await generateId(request)}`;
  engine.handleRequest = (request, response) => {
    const holder = holderOf(request);
    if (holder === null || holder === worker.id) return answer(request, response);
    track(request.socket, response);
    proxyRequest(request, response, pathOf(holder), () => answer(request, response));
  };
  engine.handleUpgrade = (request, socket, head) => {
    const holder = holderOf(request);
    if (holder === null || holder === worker.id) return upgrade(request, socket, head);
    track(socket, socket);
    proxyUpgrade(request, socket, head, pathOf(holder), () => upgrade(request, socket, head));
  };
  engine.close = () => {
    // The shutdown of a single worker would wait for these connections.
    for (const socket of proxied) socket.destroy();
    return close();
  };

  const inner = createServer(answer).on('upgrade', upgrade);
  // Without `exclusive` the cluster primary would own the listener.
  inner.listen({ path: pathOf(worker.id), exclusive: true });
  server.once('close', () => inner.close());
}

/** Worker that holds the session of a request; null without a session. Engine.IO reads the last of several sids. */
function holderOf(request: IncomingMessage): number | null {
  const session = new URL(request.url!, 'http://localhost').searchParams.getAll('sid').at(-1);
  const worker = /^(\d{1,9})\./.exec(session ?? '')?.[1];
  return worker === undefined ? null : Number(worker);
}

function proxyRequest(
  request: IncomingMessage,
  response: ServerResponse,
  socketPath: string,
  onGone: () => void,
): void {
  const { method, url: path } = request;
  // With `Connection: close` the last, empty chunk of a body could fail before the response is read.
  const headers = { ...request.headers, connection: 'keep-alive' };
  const asked = askOver({ socketPath, method, path, headers, agent: false }, (answer) => {
    // The header describes the connection between the workers.
    delete answer.headers.connection;
    response.writeHead(answer.statusCode!, answer.headers);
    pipeline(answer, response, () => undefined);
  });
  asked.once('error', () => {
    if (response.headersSent || response.destroyed) response.destroy();
    else onGone();
  });
  response.once('close', () => asked.destroy());
  request.pipe(asked);
}

function proxyUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string, onGone: () => void): void {
  const { method, url, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  const inner = connect(path);
  inner.once('error', () => inner.pending && onGone());
  inner.once('connect', () => {
    inner.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    inner.write(head);
    inner.pipe(socket).pipe(inner);
  });
  // The end of one connection ends the other.
  inner.on('error', () => undefined).once('close', () => socket.destroy());
  socket.on('error', () => undefined).once('close', () => inner.destroy());
}
