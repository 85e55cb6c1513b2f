import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../backend/test/harness/free-port.js';

const main = fileURLToPath(new URL('../backend/dist/main.js', import.meta.url));
/** Bound of a start beside two browsers, ms. */
const START_TIMEOUT_MS = 150_000;

/** The built product in a separate process with its own data, on the same port after each restart. */
export class Product {
  private process: ChildProcess | null = null;
  private output = '';

  private constructor(
    private readonly port: number,
    private readonly dataDir: string,
    private readonly env: Record<string, string>,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<Product> {
    const product = new Product(await freePort(), await mkdtemp(join(tmpdir(), 'tanya-e2e-')), env);
    await product.start();
    return product;
  }

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  /** Credentials that the first start printed. */
  get admin(): { username: string; password: string } {
    const [username, password] = ['username', 'password'].map((name) => this.printed(name));
    if (!username || !password) throw new Error(`No credentials were printed:\n${this.output}`);
    return { username, password };
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [main], { cwd: this.dataDir, env: this.environment(), stdio: 'pipe' });
    this.process = child;
    let printed = '';
    const isReady = await new Promise<boolean>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          printed += chunk.toString();
          if (printed.includes('is ready')) resolve(true);
        });
      }
      child.once('exit', () => resolve(false));
      setTimeout(() => resolve(false), START_TIMEOUT_MS).unref();
    });
    this.output += printed;
    if (isReady) return;
    await this.end('SIGTERM');
    throw new Error(`The product did not start:\n${printed}`);
  }

  /** Kills the process with SIGKILL; its embedded Postgres keeps running. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Sends SIGTERM and removes the data. */
  async stop(): Promise<void> {
    // After a kill, a restart is needed to stop the embedded Postgres.
    if (this.process === null) await this.start();
    await this.end('SIGTERM');
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.process;
    this.process = null;
    if (child === null || child.exitCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  private environment(): Record<string, string> {
    const { PATH = '', HOME = '' } = process.env;
    const own = { PORT: String(this.port), DATA_DIR: this.dataDir, LOG_LEVEL: 'warn', NODE_ENV: 'production' };
    return { PATH, HOME, ...own, ...this.env };
  }

  private printed(name: string): string | undefined {
    return new RegExp(`^\\s*${name}: (\\S+)$`, 'm').exec(this.output)?.[1];
  }
}
