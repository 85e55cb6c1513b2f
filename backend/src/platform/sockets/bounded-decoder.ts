import { LIMITS } from '@tanya/contract';
import { Decoder, PacketType } from 'socket.io-parser';
import { CLIENT_JSON, JsonScan, JsonTooLarge } from '../json/json-scan.js';

/** Packets of one socket that are decoded in one turn of the event loop, and their size: that of the largest event. */
const PACKETS_IN_TURN = 200;
const SIZE_IN_TURN = LIMITS.socketEventBytes;

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
  private packets = 0;
  private size = 0;
  private waiting: unknown[] = [];

  /** @throws Error or JsonTooLarge, which close the connection */
  override add(packet: unknown): void {
    if (this.packets === 0) setImmediate(this.nextTurn);
    if (this.waiting.length === 0 && this.takesTurn(packet)) return this.decode(packet);
    if (this.waiting.length === MOST_WAITING) throw new Error('too many packets');
    this.waiting.push(packet);
  }

  override destroy(): void {
    this.waiting = [];
    super.destroy();
  }

  /** Whether this turn has room for a packet. The first one has it, however large. */
  private takesTurn(packet: unknown): boolean {
    const size = sizeOf(packet);
    const isFirst = this.packets === 0;
    if (!isFirst && (this.packets === PACKETS_IN_TURN || this.size + size > SIZE_IN_TURN)) return false;
    this.packets += 1;
    this.size += size;
    return true;
  }

  private readonly nextTurn = (): void => {
    this.packets = 0;
    this.size = 0;
    if (this.waiting.length === 0) return;
    setImmediate(this.nextTurn);
    try {
      let decoded = 0;
      while (decoded < this.waiting.length && this.takesTurn(this.waiting[decoded])) {
        this.decode(this.waiting[decoded]);
        decoded += 1;
      }
      this.waiting.splice(0, decoded);
    } catch {
      this.waiting = [];
      // A client never sends this packet, so Socket.IO closes the connection.
      this.emitReserved('decoded', { type: PacketType.CONNECT_ERROR, nsp: '/' });
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

const sizeOf = (packet: unknown): number =>
  typeof packet === 'string' ? Buffer.byteLength(packet) : ((packet as Buffer).byteLength ?? 0);

function requireSmall(packet: unknown): void {
  if (sizeOf(packet) > LIMITS.socketEventBytes) throw new JsonTooLarge(LIMITS.socketEventBytes, 'bytes');
  if (typeof packet === 'string') new JsonScan(CLIENT_JSON).write(packet);
}
