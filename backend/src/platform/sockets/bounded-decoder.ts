import { LIMITS } from '@tanya/contract';
import { Decoder, PacketType } from 'socket.io-parser';
import { AppError } from '../errors/app-error.js';
import { CLIENT_JSON, JsonScan, JsonTooLarge } from '../json/json-scan.js';

/** Packets of all sockets that are decoded in one turn of the event loop, and their size: that of the largest event. */
const PACKETS_IN_TURN = 200;
const SIZE_IN_TURN = LIMITS.socketEventBytes;

/** Packets of one socket that are decoded before the next one has its turn. */
const PACKETS_IN_ROW = 20;

/** Packets that may wait. A page has a handful; more than this is a flood, and closes the connection. */
const MOST_WAITING = 5_000;

/**
 * Bytes of one socket: eight of the largest events at once, and one of them every four seconds. A person who types sends a
 * hundredth of that; 50 large events a second would take most of a core.
 */
const MOST_BYTES = 8 * LIMITS.socketEventBytes;
const BYTES_PER_SECOND = LIMITS.socketEventBytes / 4;

/** Bytes that are refused for that before the connection is closed, and how fast they are forgotten, a second. */
const MOST_REFUSED_BYTES = 32 * LIMITS.socketEventBytes;
const REFUSED_PER_SECOND = LIMITS.socketEventBytes;

/** Characters in which the head of a packet is sought. */
const MOST_HEAD = 200;

/** Namespace and id of an event, before its JSON. */
const HEAD = /^2(\/[^,]{0,100},)?(\d{0,15})\[/;

/** Number of attachments, namespace and id of a binary event. */
const BINARY_HEAD = /^5([1-9]|10)-(\/[^,]{0,100},)?(\d{0,15})\[/;

interface Head {
  namespace: string | undefined;
  id: string | undefined;
}

/** A binary event whose attachments are still to come. */
interface BinaryEvent extends Head {
  attachments: number;
  /** Bytes so far. */
  size: number;
  refusal: Error | null;
}

/**
 * What all sockets of this process decode in one turn of the event loop: a flood from many of them holds it no longer than
 * one from a single socket.
 */
class SharedTurn {
  private packets = 0;
  private size = 0;
  /** Sockets whose packets wait, the next one first. */
  private readonly waiting = new Set<BoundedDecoder>();

  /** Whether this turn has room for a packet. The first one has it, however large. */
  takes(packet: unknown): boolean {
    const size = sizeOf(packet);
    if (this.packets === 0) setImmediate(this.next);
    else if (this.packets === PACKETS_IN_TURN || this.size + size > SIZE_IN_TURN) return false;
    this.packets += 1;
    this.size += size;
    return true;
  }

  enqueue(decoder: BoundedDecoder): void {
    this.waiting.add(decoder);
  }

  leave(decoder: BoundedDecoder): void {
    this.waiting.delete(decoder);
  }

  private readonly next = (): void => {
    this.packets = 0;
    this.size = 0;
    for (const decoder of this.waiting) {
      const isWaiting = decoder.decodeWaiting();
      // It stays the next one.
      if (isWaiting === 'for room') break;
      this.waiting.delete(decoder);
      if (isWaiting) this.waiting.add(decoder);
    }
  };
}

const turn = new SharedTurn();

/**
 * Decodes the packets of a socket within bounds: bytes, their rate and values are counted before anything is parsed. An
 * event beyond them is passed on as the error alone, so that its ack names the bound; the socket stays open. Any other
 * packet beyond them closes the connection, as Socket.IO does for what it cannot decode, and so does a flood.
 */
export class BoundedDecoder extends Decoder {
  private waiting: unknown[] = [];
  private binary: BinaryEvent | null = null;
  private readonly budget = new ByteBudget(MOST_BYTES, BYTES_PER_SECOND);
  private readonly refused = new ByteBudget(MOST_REFUSED_BYTES, REFUSED_PER_SECOND);

  /** @throws Error or JsonTooLarge, which close the connection */
  override add(packet: unknown): void {
    if (this.waiting.length === 0 && turn.takes(packet)) return this.decode(packet);
    if (this.waiting.length === MOST_WAITING) throw new Error('too many packets');
    this.waiting.push(packet);
    turn.enqueue(this);
  }

  override destroy(): void {
    this.waiting = [];
    turn.leave(this);
    super.destroy();
  }

  /** Decodes the next packets. @returns whether others still wait, and whether that is for room in the next turn */
  decodeWaiting(): boolean | 'for room' {
    let decoded = 0;
    let hasRoom = true;
    try {
      for (; decoded < Math.min(PACKETS_IN_ROW, this.waiting.length); decoded += 1) {
        hasRoom = turn.takes(this.waiting[decoded]);
        if (!hasRoom) break;
        this.decode(this.waiting[decoded]);
      }
      this.waiting.splice(0, decoded);
    } catch {
      this.waiting = [];
      // A client never sends this packet, so Socket.IO closes the connection.
      this.emitReserved('decoded', { type: PacketType.CONNECT_ERROR, nsp: '/' });
    }
    return hasRoom ? this.waiting.length > 0 : 'for room';
  }

  private decode(packet: unknown): void {
    if (typeof packet !== 'string') return this.addAttachment(packet as Buffer);
    if (this.binary !== null) throw new Error('an attachment is missing');
    const refusal = this.refusalOf(packet);
    const start = packet.slice(0, MOST_HEAD);
    const binary = BINARY_HEAD.exec(start);
    const head = HEAD.exec(start);
    if (binary !== null) {
      const [, attachments, namespace, id] = binary;
      this.binary = { attachments: Number(attachments), size: sizeOf(packet), refusal, namespace, id };
    } else if (refusal === null) super.add(packet);
    else if (head === null) throw refusal;
    else this.refuse({ namespace: head[1], id: head[2] }, refusal);
  }

  /** No event takes attachments, so they are counted, dropped and refused in the ack. */
  private addAttachment(bytes: Buffer): void {
    const event = this.binary;
    if (event === null) throw new Error('an attachment without an event');
    event.attachments -= 1;
    event.size += bytes.byteLength;
    event.refusal ??= this.excessOf(bytes.byteLength) ?? sizeRefusal(event.size);
    if (event.attachments > 0) return;
    this.binary = null;
    this.refuse(event, event.refusal ?? new AppError('invalid'));
  }

  /** Why a packet is not parsed; null for one within all bounds. */
  private refusalOf(packet: string): Error | null {
    const size = sizeOf(packet);
    const refusal = this.excessOf(size) ?? sizeRefusal(size);
    if (refusal !== null) return refusal;
    try {
      new JsonScan(CLIENT_JSON).write(packet);
      return null;
    } catch (error) {
      return error as JsonTooLarge;
    }
  }

  /** @returns the error of bytes beyond the rate @throws Error for a client that sends on all the same */
  private excessOf(bytes: number): AppError | null {
    if (this.budget.take(bytes)) return null;
    if (!this.refused.take(bytes)) throw new Error('too many bytes');
    return new AppError('rate_limited', { retryAfter: this.budget.secondsUntil(bytes) });
  }

  private refuse({ namespace, id = '' }: Head, error: Error): void {
    this.emitReserved('decoded', {
      type: PacketType.EVENT,
      nsp: namespace?.slice(0, -1) ?? '/',
      ...(id === '' ? {} : { id: Number(id) }),
      data: [error],
    });
  }
}

const sizeOf = (packet: unknown): number =>
  typeof packet === 'string' ? Buffer.byteLength(packet) : ((packet as Buffer).byteLength ?? 0);

const sizeRefusal = (bytes: number): JsonTooLarge | null =>
  bytes > LIMITS.socketEventBytes ? new JsonTooLarge(LIMITS.socketEventBytes, 'bytes') : null;

/** Bytes that a client may send: a number at once, which grows again at a rate. */
class ByteBudget {
  private left: number;
  private at = performance.now();

  /** @param perSecond bytes that come back */
  constructor(
    private readonly most: number,
    private readonly perSecond: number,
  ) {
    this.left = most;
  }

  /** Takes bytes; false, without taking any, when they exceed what is left. */
  take(bytes: number): boolean {
    this.refill();
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }

  /** Whole seconds after which as many bytes are there. */
  secondsUntil(bytes: number): number {
    this.refill();
    return Math.max(1, Math.ceil((Math.min(bytes, this.most) - this.left) / this.perSecond));
  }

  private refill(): void {
    const now = performance.now();
    this.left = Math.min(this.most, this.left + ((now - this.at) / 1_000) * this.perSecond);
    this.at = now;
  }
}
