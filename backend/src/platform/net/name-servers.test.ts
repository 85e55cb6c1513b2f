import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { nameServerLookup } from './name-servers.js';

const A = 1;
const NO_NAME = 3;

let server: Socket;

/** An answer of 192.0.2.7 for IPv4 and of nothing for IPv6; `unknown.example` does not exist. */
function answerTo(query: Buffer): Buffer {
  let end = 12;
  while (query[end] !== 0) end += query[end]! + 1;
  end += 5;
  const isUnknown = /unknown/i.test(query.toString('latin1', 12, end));
  const hasAddress = !isUnknown && query.readUInt16BE(end - 4) === A;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180 + (isUnknown ? NO_NAME : 0), 2);
  head.writeUInt16BE(hasAddress ? 1 : 0, 6);
  head.fill(0, 8, 12);
  const record = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
  return hasAddress ? Buffer.concat([head, record]) : head;
}

beforeAll(async () => {
  server = createSocket('udp4', (query, { port, address }) => server.send(answerTo(query), port, address));
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => server.close());

const lookup = (name: string): Promise<unknown[]> =>
  new Promise((resolve) => {
    const { port } = server.address();
    nameServerLookup([`127.0.0.1:${port}`])(name, { all: true }, (...answer) => resolve(answer));
  });

it('finds the addresses of a name', async () => {
  expect(await lookup('pictures.example')).toEqual([null, [{ address: '192.0.2.7', family: 4 }]]);
});

it('fails for a name that does not exist', async () => {
  expect(await lookup('unknown.example')).toMatchObject([{ code: 'ENOTFOUND' }, []]);
});
