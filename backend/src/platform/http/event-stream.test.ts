import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventStream, SILENT_CALLS } from './event-stream.js';

/** More than the socket buffers of the operating system hold. */
const LARGE = 'x'.repeat(1_000_000);

let server: Server;

afterEach(() => server.close());

/** Serves each request by `write`. */
async function serve(write: (stream: EventStream, response: ServerResponse) => Promise<void>): Promise<number> {
  server = createServer((_request, response) => {
    const stream = new EventStream(response);
    stream.writeHead();
    void write(stream, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const open = async (port: number, agent: Agent | false = false): Promise<IncomingMessage> => {
  const [incoming] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage];
  return incoming;
};

/** Writes events in turns of their own, as they arrive from an upstream. */
const inTurns = async (stream: EventStream, events: readonly string[]): Promise<void> => {
  for (const event of events) {
    stream.write(event);
    await nextTurn();
  }
};

it('frames events of any characters, over responses of one connection', async () => {
  const events = ['data: one\n\n', 'data: \u00e9 \u{1f600} \u2028\n\n', '', `data: ${'z'.repeat(70_000)}\n\n`];
  const port = await serve(async (stream) => {
    await inTurns(stream, events);
    stream.end('data: end\n\n');
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  for (let round = 0; round < 3; round += 1) {
    const response = await open(port, agent);
    ports.add(response.socket.localPort);
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(await textOf(response)).toBe(`${events.join('')}data: end\n\n`);
  }
  expect(ports.size).toBe(1);
  agent.destroy();
});

it('is drained when the client has read, and in order', async () => {
  let waits = 0;
  const port = await serve(async (stream) => {
    for (let index = 0; index < 20; index += 1) {
      stream.write(`data: ${index}${LARGE}\n\n`);
      if (stream.drained !== null) waits += 1;
      await stream.drained;
      await nextTurn();
    }
    stream.end();
  });
  const raw = await textOf(await open(port));
  const numbers = raw.split('\n\n').map((event) => event.slice('data: '.length).replace(/x+$/, ''));
  expect(numbers).toEqual([...Array.from({ length: 20 }, (_, index) => String(index)), '']);
  expect(waits).toBeGreaterThan(0);
});

it('is drained when the client leaves, and drops what follows', async () => {
  let blocked = (): void => undefined;
  let report: (written: object) => void = () => undefined;
  const isBlocked = new Promise<void>((resolve) => (blocked = resolve));
  const reported = new Promise<object>((resolve) => (report = resolve));
  const port = await serve(async (stream, response) => {
    const socket = response.socket!;
    while (stream.drained === null) await inTurns(stream, [LARGE]);
    blocked();
    await stream.drained;
    const before = socket.bytesWritten;
    stream.write('data: late\n\n');
    const { drained } = stream;
    stream.end('data: end\n\n');
    await nextTurn();
    report({ bytes: socket.bytesWritten - before, drained, isEnded: response.writableEnded });
  });
  const response = await open(port);
  await isBlocked;
  response.destroy();
  expect(await reported).toEqual({ bytes: 0, drained: null, isEnded: false });
});

it('is silent after so many calls without an event, until its end', async () => {
  server = createServer((_request, response) => {
    const stream = new EventStream(response);
    const call = (times: number): void => {
      for (let done = 0; done < times; done += 1) stream.keepAlive();
    };
    stream.onSilence = () => stream.write('data: silence\n\n');
    stream.writeHead();
    call(SILENT_CALLS);
    stream.write('data: one\n\n');
    call(SILENT_CALLS - 1);
    stream.write('data: two\n\n');
    call(2 * SILENT_CALLS);
    stream.end('data: end\n\n');
    call(SILENT_CALLS);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await open((server.address() as AddressInfo).port);
  const events = ['silence', 'one', 'two', 'silence', 'silence', 'end'];
  expect(await textOf(response)).toBe(events.map((event) => `data: ${event}\n\n`).join(''));
});

it('sends no chunks to a client of HTTP/1.0', async () => {
  const port = await serve(async (stream) => {
    await inTurns(stream, ['data: one\n\n', 'data: two\n\n']);
    stream.end();
  });
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write('GET / HTTP/1.0\r\n\r\n');
  const raw = await textOf(socket);
  expect(raw.slice(raw.indexOf('\r\n\r\n') + 4)).toBe('data: one\n\ndata: two\n\n');
});

it('keeps the order of pipelined requests', async () => {
  let calls = 0;
  const port = await serve(async (stream) => {
    const own = (calls += 1);
    // The first response is written last.
    const events = [`data: ${own}a\n\n`, `data: ${own}b\n\n`];
    if (own === 1) for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    await inTurns(stream, events);
    stream.end();
  });
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const raw = await textOf(socket);
  expect([...raw.matchAll(/data: (\w+)/g)].map(([, name]) => name)).toEqual(['1a', '1b', '2a', '2b']);
});

it('sends the events of the same turn before it breaks off', async () => {
  const port = await serve(async (stream, response) => {
    response.on('error', () => undefined);
    stream.flush();
    stream.write('data: one\n\n');
    stream.breakOff(new Error('lost'));
  });
  const response = await open(port);
  let raw = '';
  response.on('data', (chunk: Buffer) => (raw += chunk.toString()));
  await once(response, 'error');
  expect(raw).toBe('data: one\n\n');
});
