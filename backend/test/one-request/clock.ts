import type { Cost, MeasuredProcess } from '../harness/servers/measured-process.js';

/** One input: what it is sent to, what is bad about it, and how it is sent. */
export interface OneRequest {
  /** `PATCH /api/chat/threads/{id}`, or the name of an event. */
  route: string;
  input: string;
  /** Builds its body, which may take longer than to read it. All bodies together would need gigabytes. */
  build?: () => Buffer | Promise<Buffer>;
  /** Bytes that the server may hold of it, when that is not the size of the body. */
  size?: number;
  /**
   * Sends it and resolves when it is answered, or its connection is closed.
   * @returns status of the answer, or the error of a connection without an answer
   */
  send: (body: Buffer | null) => Promise<number | string>;
}

export interface Measured extends Cost {
  route: string;
  input: string;
  status: number | string;
  /** The figures above their bounds. */
  excess: string[];
}

/** CPU time of one turn of the event loop on the machine of `docs/security.md`, and heap beside the body. */
export const TURN_MS = 50;
export const HEAP_BYTES = 64 * 2 ** 20;

/** Other test files share caches and cores in `npm test`; `npm run fuzz` runs this suite alone. */
const NOISE = process.env['ONE_REQUEST_WHOLE'] === '1' ? 1 : 1.5;

/** Times of `calibrate` on that machine, the least of many. A slower machine gets as much more. */
const CALIBRATED = { textMs: 4.2, bodyMs: 17 };

/** Statuses of a client that has done too much before. */
const REFUSED = new Set<number | string>([401, 403, 429]);

const REPETITIONS = 3;

/** A server that works longer for one request is restarted, ms. */
const STANDSTILL_MS = 10_000;

/** Measures requests one after the other. */
export class Clock {
  readonly measured: Measured[] = [];

  constructor(private readonly server: MeasuredProcess) {}

  /**
   * The least of up to three repetitions: other work of the process and the first compilation only add to a request.
   * @param renew called when the client is refused for what it sent before; the request is then sent again
   */
  async measure(request: OneRequest, renew?: () => Promise<void>): Promise<Measured> {
    const body = (await request.build?.()) ?? null;
    let best: Measured | null = null;
    for (let done = 0; done < REPETITIONS; done += 1) {
      const isRepeated = done > 0;
      let next = await this.once(request, body, isRepeated);
      if (renew && REFUSED.has(next.status)) {
        await renew();
        next = await this.once(request, body, isRepeated);
      }
      if (best === null || next.excess.length < best.excess.length || next.ms < best.ms) best = next;
      // No other work takes ten times the bound.
      if (best.excess.length === 0 || best.ms > 10 * TURN_MS) break;
    }
    this.measured.push(best!);
    return best!;
  }

  /** Measures it without a repetition, and does not keep the result. */
  async once(request: OneRequest, body: Buffer | null = null, collects = false): Promise<Measured> {
    const { route, input, size = body?.length ?? 0 } = request;
    let status: number | string = 'none';
    const work = async () => {
      status = await request.send(body);
    };
    try {
      const { ms, bytes } = await this.server.costOf(work, STANDSTILL_MS, collects);
      const excess = [
        ...(ms > TURN_MS * NOISE && ms > TURN_MS * NOISE * (await this.slowness()) ? [`${ms.toFixed(0)} ms`] : []),
        ...(bytes > size + HEAP_BYTES ? [`${((bytes - size) / 2 ** 20).toFixed(0)} MB beside its body`] : []),
      ];
      return { route, input, status, ms, bytes, excess };
    } catch (error) {
      // It stands still, or its heap was full and it has ended.
      await this.server.restart();
      return { route, input, status, ms: STANDSTILL_MS, bytes: 0, excess: [(error as Error).message] };
    }
  }

  /** How much longer this machine takes now than the one that the bound is for; at least 1. */
  private async slowness(): Promise<number> {
    const { textMs, bodyMs } = await this.server.calibrate();
    return Math.max(1, textMs / CALIBRATED.textMs, bodyMs / CALIBRATED.bodyMs);
  }
}

export const describeExcess = ({ route, input, status, excess }: Measured): string =>
  `${route}: ${input} → ${status}, ${excess.join(', ')}`;

/** The requests that held the loop longest, as a table of Markdown. */
export function worstOf(measured: Measured[], count: number): string {
  const worst = measured.toSorted((one, other) => other.ms - one.ms).slice(0, count);
  const rows = worst.map(
    ({ route, input, status, ms, bytes }) =>
      `| ${route} | ${input} | ${status} | ${ms.toFixed(1)} | ${(bytes / 2 ** 20).toFixed(1)} |`,
  );
  return ['| route | input | answer | ms | MB |', '| --- | --- | --- | ---: | ---: |', ...rows].join('\n');
}
