import { randomUUID } from 'node:crypto';
import { type ClientToServerEvents, DEFAULT_MODEL_ID, LIMITS, SOCKET_PATH } from '@tanya/contract';
import { CLIENT_JSON } from '../../src/platform/json/json-scan.js';
import type { OneRequest } from './clock.js';
import { RawSocket, frameOf, textFrame } from './raw-socket.js';
import { statusOf } from './send.js';
import { entries, worstValues } from './worst-bodies.js';

/** Bytes of an event, of one that is still answered, and of one that closes its socket. */
const SIZES = [LIMITS.socketEventBytes, LIMITS.socketFrameBytes, LIMITS.socketFrameBytes + 10];

const NO_GENERATION = '00000000-0000-4000-8000-000000000000';

/** A valid payload of each event, and its fields that take the worst values. */
const EVENTS: Record<keyof ClientToServerEvents, { valid: Record<string, unknown>; fields: string[] }> = {
  'generation:start': {
    valid: { clientMessageId: randomUUID(), threadId: null, model: DEFAULT_MODEL_ID, content: { text: 'Hello' } },
    fields: ['clientMessageId', 'threadId', 'model', 'content', 'editOf', 'reasoningEffort', 'tools'],
  },
  'generation:regenerate': {
    valid: { clientMessageId: randomUUID(), messageId: 2_147_483_646 },
    fields: ['clientMessageId', 'messageId', 'model', 'tools'],
  },
  'generation:stop': { valid: { generationId: NO_GENERATION }, fields: ['generationId'] },
  'generation:approve': {
    valid: { generationId: NO_GENERATION, callId: 'a', allow: true },
    fields: ['callId', 'allow'],
  },
  'generation:resume': { valid: { generationId: NO_GENERATION, afterSeq: 0 }, fields: ['afterSeq'] },
};

export const EVENT_NAMES = Object.keys(EVENTS);

/** The first ones reveal most. */
const KINDS = [
  'a list of 20,000 empty objects',
  'an object of 20,000 distinct keys',
  'a list of empty objects',
  '10000 lists in one another',
  'a text of escaped zeros',
  'a list of numbers',
  'a list of distinct names',
  'an object of distinct keys',
  'an object of numeric keys',
  'objects of depth 30',
  'a text of letters',
  'a number of as many digits as fit',
];
const MOST_REVEALING = 5;

/** Requests over sockets, each on a socket of its own. */
export class SocketRequests {
  /**
   * @param headers creates a guest with a new address
   * @param isWhole every value in every field at every size, or the worst ones
   */
  constructor(
    private readonly url: string,
    private readonly headers: () => Promise<Record<string, string>>,
    private readonly isWhole: boolean,
  ) {}

  all(): OneRequest[] {
    const names = Object.keys(EVENTS) as (keyof ClientToServerEvents)[];
    return [...names.flatMap((name) => this.ofEvent(name)), ...this.ofTransport()];
  }

  /** The worst payloads of an event. */
  private ofEvent(name: keyof ClientToServerEvents): OneRequest[] {
    const { valid, fields } = EVENTS[name];
    const kinds = this.isWhole ? KINDS : KINDS.slice(0, MOST_REVEALING);
    return (this.isWhole ? SIZES : SIZES.slice(0, 2)).flatMap((size) => {
      const values = worstValues(size - 600, CLIENT_JSON.values);
      const named = (field: string) =>
        kinds.map((kind) => {
          const rest = JSON.stringify({ ...valid, [field]: undefined }).slice(1, -1);
          return this.event(
            name,
            `${field}: ${kind}, ${size / 1024} kB`,
            () => `{${rest}${rest && ','}"${field}":${values[kind]!()}}`,
          );
        });
      const inContent =
        name === 'generation:start'
          ? ['attachments', 'text', 'imageData', 'unknown'].flatMap((field) =>
              kinds.map((kind) => {
                const rest = JSON.stringify({ ...valid, content: undefined }).slice(1, -1);
                const inner = field === 'text' ? '' : '"text":"a",';
                return this.event(
                  name,
                  `content.${field}: ${kind}, ${size / 1024} kB`,
                  () => `{${rest},"content":{${inner}"${field}":${values[kind]!()}}}`,
                );
              }),
            )
          : [];
      return [...[...fields, 'unknown'].flatMap(named), ...inContent];
    });
  }

  /** Bytes that are no event. */
  private ofTransport(): OneRequest[] {
    const text = (packet: string, room: number) => {
      const frame = textFrame(packet);
      return Buffer.concat(Array.from({ length: Math.floor(room / frame.length) }, () => frame));
    };
    const pieces: Record<string, () => Buffer> = {
      'a name of 1 MB': () => textFrame(`42["${'a'.repeat(1_000_000)}",{}]`),
      'an ack id of 1 MB': () => textFrame(`42${'9'.repeat(1_000_000)}["generation:stop",{}]`),
      'a namespace of 1 MB': () => textFrame(`42/${'a'.repeat(1_000_000)},["generation:stop",{}]`),
      'an event of 500,000 arguments': () => textFrame(`421["generation:stop",${entries(() => '1', 1_000_000)}]`),
      'an event of 300,000 arguments {}': () => textFrame(`421["generation:stop",${entries(() => '{}', 1_000_000)}]`),
      'lists in one another in an event': () =>
        textFrame(`421["generation:stop",${'['.repeat(500_000)}${']'.repeat(500_000)}]`),
      'a connection with 1 MB of data': () => textFrame(`40/,{"a":[${entries(() => '{}', 1_000_000)}]}`),
      'a binary event that awaits 10 placeholders': () =>
        textFrame('4510-["generation:stop",{"_placeholder":true,"num":0}]'),
      'placeholders in 1 MB': () =>
        Buffer.concat([
          textFrame(`4510-["generation:stop",[${entries(() => '{"_placeholder":true,"num":0}', 1_000_000)}]]`),
          ...Array.from({ length: 10 }, () => frameOf(Buffer.alloc(10), { isBinary: true })),
        ]),
      'a binary event with 10 attachments of 100 kB': () =>
        Buffer.concat([
          textFrame('4510-["generation:stop",{"_placeholder":true,"num":0}]'),
          ...Array.from({ length: 10 }, () => frameOf(Buffer.alloc(100_000), { isBinary: true })),
        ]),
      'attachments without an event': () => frameOf(Buffer.alloc(1_000_000), { isBinary: true }),
      '1 MB of pongs': () => text('3', 1_000_000),
      '1 MB of pings': () => text('2', 1_000_000),
      '1 MB of empty frames': () => text('', 1_000_000),
      '1 MB of events': () => text('42["generation:resume",{}]', 1_000_000),
      '1 MB of events with an ack': () => text('421["generation:resume",{}]', 1_000_000),
      '1 MB of unknown events': () => text('42["x"]', 1_000_000),
      '1 MB of events that are no JSON': () => text('42[', 1_000_000),
      '1 MB of connections': () => text('40', 1_000_000),
      '1 MB of fragments of one byte': () =>
        Buffer.concat([
          frameOf(Buffer.from('4'), { isLast: false }),
          ...Array.from({ length: 140_000 }, () => frameOf(Buffer.from('2'), { isLast: false, isContinued: true })),
          frameOf(Buffer.from(']'), { isContinued: true }),
        ]),
      'a frame that announces 4 GB': () => {
        const frame = frameOf(Buffer.alloc(70_000, 'a'));
        frame.writeBigUInt64BE(2n ** 32n, 2);
        return frame;
      },
      'text that is no UTF-8': () => frameOf(Buffer.alloc(1_000_000, 0xff)),
    };
    const payloads: Record<string, () => string> = {
      'a polling payload of pongs': () => '3\x1e'.repeat(500_000),
      'a polling payload of empty packets': () => '\x1e'.repeat(1_000_000),
      'a polling payload of events': () => '42["generation:resume",{}]\x1e'.repeat(37_000),
      'a polling payload of unknown events': () => '42["x"]\x1e'.repeat(125_000),
      'a polling payload of binary packets': () => 'bAA==\x1e'.repeat(160_000),
      'a polling payload of one event of 1 MB': () =>
        `42["generation:start",{"a":[${entries(() => '{}', 1_000_000)}]}]`,
      'a polling payload above the bound': () => 'a'.repeat(1_100_000),
    };
    return [
      ...Object.entries(pieces).map(([input, build]) => this.onSocket('a socket', input, build)),
      ...Object.entries(payloads).map(([input, build]) => this.onPolling(input, build)),
    ];
  }

  private event(name: string, input: string, payload: () => string): OneRequest {
    return this.onSocket(name, input, () => textFrame(`421["${name}",${payload()}]`), '431[');
  }

  /** @param answer what the server sends when it has handled the bytes; by default it answers an event after them */
  private onSocket(route: string, input: string, build: () => Buffer, answer?: string): OneRequest {
    return {
      route,
      input,
      build,
      send: async (bytes) => {
        const socket = await RawSocket.open(this.url, await this.headers());
        try {
          socket.write(bytes!);
          if (answer === undefined) socket.write(textFrame('429["generation:stop",{}]'));
          await socket.until(answer ?? '439[');
          return socket.answer;
        } finally {
          socket.close();
        }
      },
    };
  }

  private onPolling(input: string, build: () => string): OneRequest {
    const path = `${SOCKET_PATH}/?EIO=4&transport=polling`;
    return {
      route: 'a polling client',
      input,
      build: () => Buffer.from(build()),
      send: async (payload) => {
        const own = { ...(await this.headers()), 'content-type': 'text/plain' };
        const opened = await fetch(this.url + path, { headers: own });
        const { sid } = JSON.parse((await opened.text()).slice(1)) as { sid: string };
        const post = (body: Buffer | null) =>
          statusOf(this.url, { method: 'POST', path: `${path}&sid=${sid}`, headers: own, body });
        await post(Buffer.from('40'));
        return post(payload);
      },
    };
  }
}
