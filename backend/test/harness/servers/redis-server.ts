import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../free-port.js';
import { WAIT_TIMEOUT_MS, waitUntil } from '../wait-until.js';
import type { Certificate } from './certificate.js';

type Settings = Record<string, string>;

/** A ping without a reply is repeated after this time, ms. */
const PING_TIMEOUT_MS = 1_000;

const COMMON: Settings = { bind: '127.0.0.1', daemonize: 'no' };

const OF_SERVERS: Settings = { save: '', appendonly: 'no', 'maxmemory-policy': 'noeviction' };

/** A redis-server process with a folder and a port of its own. Global teardown kills what a crashed test left running. */
export class RedisServer {
  private process: ChildProcess | null = null;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly configFile: string,
    private readonly flags: string[],
    private readonly certificate: Certificate | null,
  ) {}

  /** Prepares a server without starting it. @param certificate with one it accepts TLS alone */
  static create(settings: Settings = {}, certificate: Certificate | null = null): Promise<RedisServer> {
    return RedisServer.prepare({ settings: { ...OF_SERVERS, ...settings }, flags: [], config: [], certificate });
  }

  /** Prepares a Sentinel that watches a primary. @param config lines of its configuration, which it rewrites */
  static createSentinel(config: string[], certificate: Certificate | null = null): Promise<RedisServer> {
    return RedisServer.prepare({ settings: {}, flags: ['--sentinel'], config, certificate });
  }

  private static async prepare({ settings, flags, config, certificate }: Preparation): Promise<RedisServer> {
    const folder = join(required('TANYA_TEST_FOLDER'), 'servers', randomUUID());
    await mkdir(folder, { recursive: true });
    const port = await freePort();
    const listening = certificate === null ? { port: String(port) } : tlsSettings(port, certificate);
    const all = { ...COMMON, ...settings, ...listening, dir: folder, pidfile: join(folder, 'pid') };
    const configFile = join(folder, 'redis.conf');
    const lines = [...Object.entries(all).map(([name, value]) => `${name} ${value === '' ? '""' : value}`), ...config];
    await writeFile(configFile, `${lines.join('\n')}\n`);
    return new RedisServer(folder, port, configFile, flags, certificate);
  }

  get url(): string {
    return `${this.certificate === null ? 'redis' : 'rediss'}://127.0.0.1:${this.port}`;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Starts the process, or continues one that runs, and waits until it replies. */
  async start(): Promise<void> {
    this.process ??= this.launch();
    const client = this.client(PING_TIMEOUT_MS);
    await waitUntil('redis-server', () => client.ping().then(isPong, () => false));
    client.disconnect();
  }

  /** Kills the process, as a crash would; data in memory are lost. */
  async kill(): Promise<void> {
    const ended = this.process;
    if (ended === null) return;
    this.process = null;
    const exit = new Promise((resolve) => ended.once('exit', resolve));
    ended.kill('SIGKILL');
    await exit;
  }

  /** Stops the process without closing its connections. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.process?.kill('SIGCONT');
  }

  /** Runs one command on a connection of its own. */
  async call(command: string, ...args: (string | number)[]): Promise<unknown> {
    const client = this.client(WAIT_TIMEOUT_MS);
    try {
      return await client.call(command, ...args);
    } finally {
      client.disconnect();
    }
  }

  private client(commandTimeout: number): Redis {
    const client = new Redis(this.url, {
      retryStrategy: () => 50,
      maxRetriesPerRequest: null,
      commandTimeout,
      ...(this.certificate && { tls: { ca: readFileSync(this.certificate.certificate) } }),
    });
    client.on('error', () => undefined);
    return client;
  }

  private launch(): ChildProcess {
    const child = spawn(required('TANYA_TEST_REDIS_SERVER'), [this.configFile, ...this.flags], { stdio: 'ignore' });
    child.unref();
    return child;
  }
}

interface Preparation {
  settings: Settings;
  flags: string[];
  config: string[];
  certificate: Certificate | null;
}

/** A server that speaks TLS to clients, to replicas and to other nodes of a cluster. */
const tlsSettings = (port: number, { key, certificate }: Certificate): Settings => ({
  port: '0',
  'tls-port': String(port),
  'tls-cert-file': certificate,
  'tls-key-file': key,
  'tls-ca-cert-file': certificate,
  'tls-auth-clients': 'no',
  'tls-replication': 'yes',
  'tls-cluster': 'yes',
});

const isPong = (reply: string): boolean => reply === 'PONG';

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the integration project, whose global set-up provides it`);
  return value;
}
