import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomUUID } from 'node:crypto';
import { OPTIMIZES_LATE } from '../../../../scripts/testing/short-lived.mjs';
import { ADMIN } from '../test-app.js';
import { freePort } from '../free-port.js';
import { waitUntil } from '../wait-until.js';

const PROGRAM = fileURLToPath(new URL('../../../dist/bundle/main.js', import.meta.url));

type Environment = Record<string, string>;

/** The built server as a process, for what a process reads from its environment at its start. */
export class ProductProcess {
  private output = '';
  private readonly exited: Promise<unknown>;

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (this.output += String(data)));
    this.exited = once(child, 'exit');
  }

  /** Starts a server and waits until it is ready. @throws Error with its output when it ends before */
  static async start(env: Environment): Promise<ProductProcess> {
    const started = await ProductProcess.launch(env);
    await waitUntil('the server', async () => {
      if (started.child.exitCode !== null) throw new Error(`the server ended: ${started.output}`);
      const answer = await fetch(`${started.url}/api/health/ready`).catch(() => null);
      return answer?.status === 200;
    });
    return started;
  }

  /** The output of a server whose start fails. */
  static async failedStart(env: Environment): Promise<string> {
    const started = await ProductProcess.launch(env);
    await started.exited;
    return started.output;
  }

  get pid(): number {
    return this.child.pid!;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private static async launch(env: Environment): Promise<ProductProcess> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = spawn(process.execPath, [...OPTIMIZES_LATE, PROGRAM], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: String(port),
        HOST: '127.0.0.1',
        PUBLIC_URL: url,
        DATA_DIR: join(process.env.TANYA_TEST_FOLDER!, 'products', randomUUID()),
        APP_SECRET: 'one secret of all nodes of this test, long enough',
        ADMIN_USERNAME: ADMIN.username,
        ADMIN_PASSWORD: ADMIN.password,
        LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.unref();
    return new ProductProcess(url, child);
  }
}
