import { createServer, type IncomingMessage, request as askOver, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Duplex, pipeline } from 'node:stream';

/** One of several workers on this machine, and the folder where each listens for the others. */
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
 * Each request of a polling client, and its later upgrade, may reach another worker than the one that holds its session.
 * Whoever gets it hands it on: a session's id begins with its worker's. Of a worker that is gone nothing answers, and the
 * session is unknown, so that the client begins a new one. Handshakes are never handed on, which is why
 * limits by address see each client's own connection.
 */
export function proxyStickySessions(engine: Engine, server: Server, worker: WorkerInfo): void {
  const generateId = engine.generateId.bind(engine);
  const answer = engine.handleRequest.bind(engine);
  const upgrade = engine.handleUpgrade.bind(engine);
  const close = engine.close.bind(engine);
  const handedOn = new Set<Duplex>();
  const remember = (socket: Duplex, until: NodeJS.EventEmitter) => {
    handedOn.add(socket);
    until.once('close', () => handedOn.delete(socket));
  };
  const pathOf = (id: number) => join(worker.folder, `${id}.sock`);

  engine.generateId = async (request) => `${worker.id}.${await generateId(request)}`;
  engine.handleRequest = (request, response) => {
    const holder = holderOf(request);
    if (holder === null || holder === worker.id) return answer(request, response);
    remember(request.socket, response);
    handOn(request, response, pathOf(holder), () => answer(request, response));
  };
  engine.handleUpgrade = (request, socket, head) => {
    const holder = holderOf(request);
    if (holder === null || holder === worker.id) return upgrade(request, socket, head);
    remember(socket, socket);
    handOnUpgrade(request, socket, head, pathOf(holder), () => upgrade(request, socket, head));
  };
  engine.close = () => {
    // A worker that stops alone would wait for them.
    for (const socket of handedOn) socket.destroy();
    return close();
  };

  const inner = createServer(answer).on('upgrade', upgrade);
  // Without `exclusive` the primary would listen for it.
  inner.listen({ path: pathOf(worker.id), exclusive: true });
  server.once('close', () => inner.close());
}

/** The worker that gave out the session of a request; null without a session. Of several Engine.IO reads the last. */
function holderOf(request: IncomingMessage): number | null {
  const session = new URL(request.url!, 'http://localhost').searchParams.getAll('sid').at(-1);
  const worker = /^(\d{1,9})\./.exec(session ?? '')?.[1];
  return worker === undefined ? null : Number(worker);
}

function handOn(request: IncomingMessage, response: ServerResponse, socketPath: string, isGone: () => void): void {
  const { method, url: path } = request;
  // Were it to close the connection once it has answered, the last and empty write of a body could fail before that is read.
  const headers = { ...request.headers, connection: 'keep-alive' };
  const asked = askOver({ socketPath, method, path, headers, agent: false }, (answer) => {
    // Whether the client's own connection is kept is not for the other worker to say.
    delete answer.headers.connection;
    response.writeHead(answer.statusCode!, answer.headers);
    pipeline(answer, response, () => undefined);
  });
  asked.once('error', () => {
    if (response.headersSent || response.destroyed) response.destroy();
    else isGone();
  });
  response.once('close', () => asked.destroy());
  request.pipe(asked);
}

function handOnUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string, isGone: () => void): void {
  const { method, url, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  const inner = connect(path);
  inner.once('error', () => inner.pending && isGone());
  inner.once('connect', () => {
    inner.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    inner.write(head);
    inner.pipe(socket).pipe(inner);
  });
  // Whichever ends first ends the other.
  inner.on('error', () => undefined).once('close', () => socket.destroy());
  socket.on('error', () => undefined).once('close', () => inner.destroy());
}
