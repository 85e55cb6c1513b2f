import { AppError } from '../errors/app-error.js';
import { KeptBytes } from './kept-bytes.js';

export interface BodySender {
  /** The account, or the address of a guest. */
  key: string;
  isGuest: boolean;
}

/** Large bodies that are read at once, in this process. */
const MOST_READ = 4;
const MOST_READ_OF_GUESTS = 2;

/** Time that a body waits for its turn, ms. */
const WAIT_MS = 1_000;

interface Reading {
  sender: BodySender;
  bytes: number;
}

interface Waiting {
  reading: Reading;
  start: () => void;
}

export interface BodyTurn {
  /** The body has been read: the next one may begin. @param bytes that arrived */
  endReading: (bytes: number) => void;
  /** The answer has ended: nothing refers to the body any more. */
  release: () => void;
}

/**
 * Lets large bodies in: one at a time for a sender and four for the process, so that neither their parsing nor their memory
 * takes the server from others.
 */
export class LargeBodies {
  private readonly readings = new Set<Reading>();
  private waiting: Waiting[] = [];
  private readonly kept = new KeptBytes();

  /**
   * Waits for the turn of a body.
   * @param bytes at most
   * @throws AppError `server_busy` when it does not come within a second
   */
  async enter(sender: BodySender, bytes: number): Promise<BodyTurn> {
    const reading = { sender, bytes };
    if (this.fits(reading)) this.startReading(reading);
    else await this.turnOf(reading);
    return { endReading: (read) => this.endReading(reading, read), release: () => this.release(reading) };
  }

  private fits({ sender, bytes }: Reading): boolean {
    const all = [...this.readings];
    return (
      all.length < MOST_READ &&
      !all.some((other) => other.sender.key === sender.key) &&
      !(sender.isGuest && all.filter((other) => other.sender.isGuest).length >= MOST_READ_OF_GUESTS) &&
      this.kept.fits(sender.key, bytes)
    );
  }

  private startReading(reading: Reading): void {
    this.readings.add(reading);
    this.kept.add(reading);
  }

  private turnOf(reading: Reading): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        reading,
        start: () => {
          clearTimeout(timer);
          this.startReading(reading);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((other) => other !== waiting);
        reject(new AppError('server_busy'));
      }, WAIT_MS);
      this.waiting.push(waiting);
    });
  }

  private endReading(reading: Reading, bytes: number): void {
    reading.bytes = bytes;
    if (this.readings.delete(reading)) this.startWaiting();
  }

  private release(reading: Reading): void {
    this.readings.delete(reading);
    this.kept.delete(reading);
    this.startWaiting();
  }

  private startWaiting(): void {
    for (const waiting of this.waiting) {
      if (!this.fits(waiting.reading)) continue;
      this.waiting = this.waiting.filter((other) => other !== waiting);
      waiting.start();
    }
  }
}
