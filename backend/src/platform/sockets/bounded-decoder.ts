import { LIMITS } from '@tanya/contract';
import { Decoder, PacketType } from 'socket.io-parser';
import { CLIENT_JSON, JsonScan, JsonTooLarge } from '../json/json-scan.js';

/** Packets of one socket that are decoded in one turn of the event loop, about 3 ms. The others wait for the next turns. */
const PACKETS_IN_TURN = 200;

/** Packets that may wait. A page has a handful; more than this is a flood, and closes the connection. */
const MOST_WAITING = 5_000;

/** Type, namespace and id of an event, before its JSON. */
const HEAD = /^2(\/[^,]{0,100},)?(\d{0,15})\[/;

/**
 * Decodes the packets of a socket within bounds: bytes and values are counted before anything is parsed. An event beyond
 * them is passed on without its payload, so that its ack names the bound; the socket stays open. Any other packet beyond
 * them closes the connection, as Socket.IO does for what it cannot decode.
 */
export class BoundedDecoder extends Decoder {
  private inTurn = 0;
  private waiting: unknown[] = [];

  /** @throws Error or JsonTooLarge, which close the connection */
  override add(packet: unknown): void {
    if (this.inTurn === 0) setImmediate(this.nextTurn);
    this.inTurn += 1;
    if (this.inTurn <= PACKETS_IN_TURN) return this.decode(packet);
    if (this.waiting.length === MOST_WAITING) throw new Error('too many packets');
    this.waiting.push(packet);
  }

  override destroy(): void {
    this.waiting = [];
    super.destroy();
  }

  private readonly nextTurn = (): void => {
    const packets = this.waiting.splice(0, PACKETS_IN_TURN);
    // Packets that arrive while others wait are behind them.
    this.inTurn = this.waiting.length > 0 ? PACKETS_IN_TURN : packets.length;
    if (this.inTurn > 0) setImmediate(this.nextTurn);
    try {
      for (const packet of packets) this.decode(packet);
    } catch {
      this.waiting = [];
      this.emitReserved('decoded', { type: PacketType.DISCONNECT, nsp: '/' });
    }
  };

  private decode(packet: unknown): void {
    try {
      requireSmall(packet);
    } catch (error) {
      const head = typeof packet === 'string' ? HEAD.exec(packet.slice(0, 200)) : null;
      if (head === null || !(error instanceof JsonTooLarge)) throw error;
      const [, namespace, id] = head;
      this.emitReserved('decoded', {
        type: PacketType.EVENT,
        nsp: namespace?.slice(0, -1) ?? '/',
        ...(id === '' ? {} : { id: Number(id) }),
        data: [error],
      });
      return;
    }
    super.add(packet);
  }
}

function requireSmall(packet: unknown): void {
  const size = typeof packet === 'string' ? Buffer.byteLength(packet) : ((packet as Buffer).byteLength ?? 0);
  if (size > LIMITS.socketEventBytes) throw new JsonTooLarge(LIMITS.socketEventBytes, 'bytes');
  if (typeof packet === 'string') new JsonScan(CLIENT_JSON).write(packet);
}
