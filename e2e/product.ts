import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../backend/test/harness/free-port.js';
import { OPTIMIZES_LATE } from '../scripts/testing/short-lived.mjs';
import type { Credentials } from './chat-screen.js';

const main = fileURLToPath(new URL('../backend/dist/bundle/main.js', import.meta.url));
/** Bound of a start beside the browsers of three workers, ms. */
const START_TIMEOUT_MS = 150_000;

/** Data that a first start has created. */
export interface PreparedData {
  folder: string;
  admin: Credentials;
}

/** The built product in a separate process with its own data, on the same port after each restart. */
export class Product {
  private process: ChildProcess | null = null;

  private constructor(
    private readonly port: number,
    private readonly dataDir: string,
    private readonly env: Record<string, string>,
    readonly admin: Credentials,
  ) {}

  /** Starts and stops the product in an empty folder. A server on a copy of the data migrates no database. */
  static async prepare(): Promise<PreparedData> {
    const folder = await newFolder();
    const product = new Product(await freePort(), folder, {}, { username: '', password: '' });
    const output = await product.launch();
    await product.end('SIGTERM');
    const [username, password] = ['username', 'password'].map((name) => printed(output, name));
    if (!username || !password) throw new Error(`No credentials were printed:\n${output}`);
    return { folder, admin: { username, password } };
  }

  static async start(prepared: PreparedData, env: Record<string, string> = {}): Promise<Product> {
    const folder = await newFolder();
    // Postgres requires the owner and the mode of its files, which `fs.cp` does not keep.
    await promisify(execFile)('cp', ['-a', `${prepared.folder}/.`, folder]);
    const product = new Product(await freePort(), folder, env, prepared.admin);
    await product.start();
    return product;
  }

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  async start(): Promise<void> {
    await this.launch();
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

  /** @returns what the start printed */
  private async launch(): Promise<string> {
    const child = spawn(process.execPath, [...OPTIMIZES_LATE, main], {
      cwd: this.dataDir,
      env: this.environment(),
      stdio: 'pipe',
    });
    this.process = child;
    let output = '';
    const isReady = await new Promise<boolean>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
          if (output.includes('is ready')) resolve(true);
        });
      }
      child.once('exit', () => resolve(false));
      setTimeout(() => resolve(false), START_TIMEOUT_MS).unref();
    });
    if (isReady) return output;
    await this.end('SIGTERM');
    throw new Error(`The product did not start:\n${output}`);
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
}

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'tanya-e2e-'));

function printed(output: string, name: string): string | undefined {
  return new RegExp(`^\\s*${name}: (\\S+)$`, 'm').exec(output)?.[1];
}
