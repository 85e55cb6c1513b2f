import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, buildConnector } from 'undici';
import { currentPacing, pacedConnector, type SocketPacing } from './paced-sockets.js';

const PIECES = Array.from({ length: 200 }, (_, index) => `piece ${index} é\n`);

/** The types of undici do not name the mark, which it passes to the socket. */
const UNBUFFERED = { timeout: 10_000, highWaterMark: 1 };

/** A beat of 5 ms. */
class Beat {
  deferred = 0;
  private readonly due = new Set<() => void>();
  private readonly timer = setInterval(() => {
    const reads = [...this.due];
    this.due.clear();
    for (const read of reads) read();
  }, 5);

  assignSlot = () => 0;

  defer(read: () => void): boolean {
    this.deferred += 1;
    this.due.add(read);
    return true;
  }

  cancel = (read: () => void): boolean => this.due.delete(read);

  close = () => clearInterval(this.timer);
}

let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer(async (_request, response) => {
    for (const piece of PIECES) {
      response.write(piece);
      await sleep(1);
    }
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

/** @returns the body and the pacing of its socket */
function read(agent: Agent): Promise<{ text: string; pacing: SocketPacing | null }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let pacing: SocketPacing | null = null;
    agent.dispatch(
      { origin, path: '/', method: 'GET' },
      {
        onRequestStart: () => undefined,
        onResponseStart() {
          pacing = currentPacing();
          pacing?.start();
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd() {
          pacing?.stop();
          resolve({ text: Buffer.concat(chunks).toString(), pacing });
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

it('reads the bytes of an unpaced socket, on the beat', async () => {
  const beat = new Beat();
  const plain = new Agent();
  const paced = new Agent({ connect: pacedConnector(buildConnector(UNBUFFERED), beat), connections: 1 });
  const expected = await read(plain);
  const first = await read(paced);
  // On the same connection.
  const second = await read(paced);
  expect(expected.text).toBe(PIECES.join(''));
  for (const { text, pacing } of [first, second]) {
    expect(text).toBe(expected.text);
    expect(pacing).not.toBeNull();
  }
  expect(second.pacing).toBe(first.pacing);
  expect(beat.deferred).toBeGreaterThan(0);
  beat.close();
  await Promise.all([plain.close(), paced.close()]);
});

it('has the pacing of each of several sockets', async () => {
  const beat = new Beat();
  const paced = new Agent({ connect: pacedConnector(buildConnector(UNBUFFERED), beat) });
  const answers = await Promise.all([read(paced), read(paced), read(paced)]);
  expect(new Set(answers.map(({ pacing }) => pacing)).size).toBe(3);
  expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 3 }, () => PIECES.join('')));
  beat.close();
  await paced.close();
});
