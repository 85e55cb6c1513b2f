import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.js';
import { ADMIN } from '../test-app.js';

const MAIN = fileURLToPath(new URL('../../../dist/bundle/main.js', import.meta.url));
const METER = new URL('turn-meter.mjs', import.meta.url).href;

/** The cost of a request: CPU time of the longest turn of the server's event loop, and heap beyond that before it. */
export interface Cost {
  ms: number;
  bytes: number;
}

/** CPU time of two fixed pieces of work: of a text of 0.8 MB that is parsed, and of a body of 24 MB that is read. */
export interface Calibration {
  textMs: number;
  bodyMs: number;
}

type Note = { meter: 'begun' } | ({ meter: 'ended' } & Cost) | ({ meter: 'calibrated' } & Calibration);

/** The built server in a process of its own, which a crash ends visibly, with a meter of its event loop and heap. */
export class MeasuredProcess {
  private child!: ChildProcess;
  private log = '';

  private constructor(
    readonly url: string,
    private readonly env: Record<string, string | undefined>,
    private readonly flags: string[],
  ) {}

  static async start(databaseUrl: string, env: Record<string, string>, flags: string[] = []): Promise<MeasuredProcess> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const whole = {
      PATH: process.env.PATH,
      TANYA_TURN_METER: '1',
      DATABASE_URL: databaseUrl,
      APP_SECRET: randomBytes(32).toString('base64url'),
      PUBLIC_URL: url,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: join(process.env.TANYA_TEST_FOLDER ?? tmpdir(), randomUUID()),
      TRUST_PROXY: '1',
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: 'error',
      ...env,
    };
    const started = new MeasuredProcess(url, whole, flags);
    await started.launch();
    return started;
  }

  /** Ends a process that hangs, and starts another one with the same data. */
  async restart(): Promise<void> {
    if (this.isAlive()) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await ended;
    }
    await this.launch();
  }

  private async launch(): Promise<void> {
    this.log = '';
    const { env } = this;
    const args = ['--expose-gc', '--import', METER, ...this.flags, MAIN];
    this.child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.log += text));
    while (!this.log.includes('Tanya is ready')) {
      if (!this.isAlive()) throw new Error(`the server did not start:\n${this.log}`);
      await sleep(25);
    }
  }

  /** Whether the process runs. */
  isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Its log so far. */
  output(): string {
    return this.log;
  }

  /**
   * The cost of `work` and of all that it starts. `work` may fail: a server that stands still resets connections.
   * @param collects whether garbage is collected before; else up to 40 MB of it count as heap of `work`
   * @throws Error when the process ends meanwhile, or has not ended its work after `timeoutMs`
   */
  async costOf(work: () => Promise<unknown>, timeoutMs: number, collects: boolean): Promise<Cost> {
    await this.order('begin', 'begun', timeoutMs, { collects });
    const began = performance.now();
    await Promise.race([work(), sleep(timeoutMs)]).catch(() => undefined);
    const left = Math.max(1_000, timeoutMs - (performance.now() - began));
    const { ms, bytes } = (await this.order('end', 'ended', left)) as Cost;
    return { ms, bytes };
  }

  /** What the machine takes now for about 4 and 17 ms on the one of `docs/security.md`. */
  async calibrate(): Promise<Calibration> {
    const { textMs, bodyMs } = (await this.order('calibrate', 'calibrated', 30_000)) as Calibration;
    return { textMs, bodyMs };
  }

  async stop(): Promise<void> {
    if (!this.isAlive()) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }

  private order(meter: string, awaited: Note['meter'], timeoutMs: number, rest: object = {}): Promise<Note> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const settle = (done: () => void) => {
        clearTimeout(timer);
        child.off('message', onNote).off('exit', onExit);
        done();
      };
      const onNote = (note: Note) => {
        if (note.meter === awaited) settle(() => resolve(note));
      };
      const onExit = () => settle(() => reject(new Error(`the server ended: ${this.log.slice(-2_000)}`)));
      const timer = setTimeout(
        () => settle(() => reject(new Error(`the server stood still for ${timeoutMs} ms`))),
        timeoutMs,
      );
      child.on('message', onNote).on('exit', onExit);
      if (this.isAlive()) child.send({ meter, ...rest });
      else onExit();
    });
  }
}
