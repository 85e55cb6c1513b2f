import { Encoder, type Packet } from 'socket.io-parser';
import { JsonEncoder } from './json-encoder.js';

const PACKETS: Packet[] = [
  { type: 0, nsp: '/', data: { sid: 'a' } },
  { type: 1, nsp: '/' },
  { type: 2, nsp: '/', data: ['generation:event', { seq: 1, text: '\u00e9 "\u{1f600}"', part: null }] },
  { type: 2, nsp: '/', id: 0, data: ['thread:read', undefined] },
  { type: 3, nsp: '/', id: 12, data: [{ ok: true, at: new Date(0) }] },
  { type: 4, nsp: '/other', data: { message: 'Invalid namespace' } },
];

it.each(PACKETS)('writes what the encoder of Socket.IO writes: %j', (packet) => {
  expect(new JsonEncoder().encode({ ...packet })).toEqual(new Encoder().encode({ ...packet }));
});
