import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { DEFAULT_TIMINGS, type Timings } from '../../src/config/timings.js';
import { HttpClient } from '../harness/http-client.js';
import { startRedis, type TestRedis } from '../harness/redis.js';
import { type Call, type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { askedText, type Script } from '../harness/scripted-answers.js';
import { freePort } from '../harness/free-port.js';
import { Balancer } from './balancer.js';
import { TestUser } from './test-user.js';
import type { Database, PostgresServer } from './postgres-server.js';
import { ServerNode } from './server-node.js';
import { SmallDisk } from './small-disk.js';
import { TcpProxy } from './tcp-proxy.js';

const ADMIN = { username: 'admin', password: 'the first admin of all' };
const PASSWORD = 'a quiet harbour at dawn';

/** Members that take turns, so that nobody's pace is what is measured. */
const MEMBERS = 60;

/** What the disk of the uploads may hold, MB. */
const FILES_DISK = 4;

/** A token of ours in every message, by which the upstream's calls are told apart. */
const MARK = /«(\w+)»/;

export interface HarnessOptions {
  name: string;
  dist: string;
  folder: string;
  postgres: PostgresServer;
  timings: Partial<Timings>;
  /** Server processes; one without Redis owns its database alone. */
  nodes: number;
  redis: boolean;
  /** The path of nginx, to put it before the processes. */
  nginx?: string;
  env?: Record<string, string>;
}

/** Everything that a fault can hit: server processes, their database, Redis, the model, and the lines between them. */
export class Harness {
  private members: TestUser[] = [];
  private turn = 0;
  private guests = 0;
  private readonly scripts = new Map<string, Script[]>();
  private readonly callsByMark = new Map<string, Call[]>();
  private sorted = 0;
  admin!: HttpClient;

  private constructor(
    readonly options: HarnessOptions,
    readonly database: Database,
    readonly redis: TestRedis | null,
    readonly redisLine: TcpProxy | null,
    readonly upstream: ScriptedUpstream,
    readonly upstreamLine: TcpProxy,
    readonly nodes: ServerNode[],
    /** Where clients come in, spread over the processes that are up. */
    readonly front: TcpProxy,
    /** Where uploads go. */
    readonly files: SmallDisk,
    private readonly balancer: Balancer | null,
  ) {}

  static async open(options: HarnessOptions): Promise<Harness> {
    const { name, postgres, folder, dist, timings } = options;
    const files = await SmallDisk.at(join(folder, 'data', 'files'), FILES_DISK);
    const database = await postgres.createDatabase(name);
    const redis = options.redis ? await startRedis() : null;
    const redisLine = redis === null ? null : await TcpProxy.open(() => [Number(new URL(redis.url).port)]);
    let harness: Harness | null = null;
    const upstream = await startUpstream({ words: 40, choose: (text) => harness?.scriptFor(text) });
    const upstreamLine = await TcpProxy.open(() => [Number(new URL(upstream.url).port)]);
    const front = await TcpProxy.open(() => harness?.upPorts ?? []);
    const env = {
      DATABASE_URL: database.url,
      ...(redisLine === null ? {} : { REDIS_URL: `redis://127.0.0.1:${redisLine.port}` }),
      APP_SECRET: randomBytes(32).toString('base64url'),
      PUBLIC_URL: front.url,
      DATA_DIR: join(folder, 'data'),
      TRUST_PROXY: '1',
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      OPENAI_API_KEY: 'sk-fault-harness',
      OPENAI_BASE_URL: `${upstreamLine.url}/v1`,
      LOG_LEVEL: 'warn',
      ...options.env,
    };
    const nodes: ServerNode[] = [];
    for (let index = 0; index < options.nodes; index += 1) {
      const node = { name: `${name}-${index + 1}`, dist, folder, env, timings };
      nodes.push(new ServerNode(node, await freePort()));
    }
    for (const node of nodes) await node.start();
    const ports = nodes.map((node) => node.port);
    const { nginx } = options;
    const balancer =
      nginx === undefined ? null : await Balancer.start(nginx, join(folder, 'nginx'), await freePort(), ports);
    harness = new Harness(options, database, redis, redisLine, upstream, upstreamLine, nodes, front, files, balancer);
    await harness.furnish();
    return harness;
  }

  /** After so long a node that says nothing is taken for dead, ms. */
  get nodeDead(): number {
    return { ...DEFAULT_TIMINGS, ...this.options.timings }.nodeDead;
  }

  /** The next member in turn; everybody may send as much as the pace allows. */
  member(): TestUser {
    this.turn += 1;
    return this.members[this.turn % this.members.length]!;
  }

  /** Somebody who has never been here. */
  async guest(): Promise<TestUser> {
    this.guests += 1;
    const guest = new TestUser(this.front.url, someAddress(this.guests), null, null);
    await guest.browser.get('/api/general-settings');
    return guest;
  }

  async newMember(fields: { isPremium?: boolean; isAdmin?: boolean } = {}): Promise<TestUser> {
    const username = `member-${randomBytes(6).toString('hex')}`;
    const { isPremium = true, isAdmin = false } = fields;
    const account = { username, password: PASSWORD, isPremium, isAdmin };
    const { id } = (await this.asAdmin('POST', '/api/admin/users', account)) as { id: number };
    this.guests += 1;
    return new TestUser(this.front.url, someAddress(this.guests), { username, password: PASSWORD }, id);
  }

  /** A message that the upstream can tell from all others. */
  mark(): string {
    return `«m${randomBytes(5).toString('hex')}»`;
  }

  /** How the calls for a marked message are answered, one after another; the last goes for all that follow. */
  script(mark: string, ...scripts: Script[]): void {
    this.scripts.set(mark, scripts);
  }

  /** The model calls that a message has caused so far. */
  callsFor(text: string): Call[] {
    const { calls } = this.upstream;
    for (; this.sorted < calls.length; this.sorted += 1) {
      const call = calls[this.sorted]!;
      const mark = markOf(askedText(call.body));
      this.callsByMark.set(mark, [...(this.callsByMark.get(mark) ?? []), call]);
    }
    return this.callsByMark.get(markOf(text)) ?? [];
  }

  /** What an admin does, who signs in again when the session is gone. */
  async asAdmin(method: string, path: string, body: object): Promise<unknown> {
    const answer = await this.admin.send(method, path, { body });
    if (answer.status < 300) return answer.body;
    if (answer.status !== 401) throw new Error(`the admin was refused: ${answer.status} ${answer.text}`);
    await this.signInAdmin();
    return this.asAdmin(method, path, body);
  }

  async signInAdmin(): Promise<void> {
    this.admin = new HttpClient(this.front.url, someAddress(0));
    const answer = await this.admin.post('/api/login', ADMIN);
    if (answer.status !== 200) throw new Error(`the admin can't sign in: ${answer.status} ${answer.text}`);
  }

  /** Everything in Redis is lost; the sessions are among it. */
  async flushRedis(): Promise<void> {
    await this.withRedis((redis) => redis.flushall());
  }

  /** What the fast counter knows of an owner. */
  async forgetCounter(owner: string): Promise<void> {
    await this.withRedis((redis) => redis.del(`tanya:quota:{${owner}}:ever`));
  }

  async withRedis<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.redis!.url, { maxRetriesPerRequest: 1 });
    try {
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }

  /** All as it was before the fault. */
  async restore(): Promise<void> {
    for (const line of [this.redisLine, this.upstreamLine, this.front, this.options.postgres.line]) line?.restore();
    for (const node of this.nodes) {
      node.thaw();
      await node.removeTrap();
      await node.setClock(0);
      if (!node.isUp) await node.start();
    }
    for (const node of this.nodes) await node.untilReady();
  }

  async close(): Promise<void> {
    await this.balancer?.stop();
    for (const node of this.nodes) await node.kill();
    for (const line of [this.front, this.upstreamLine, this.redisLine]) await line?.close();
    await this.upstream.close();
    await this.redis?.stop();
    await this.database.disconnect();
    this.files.unmount();
  }

  private get upPorts(): number[] {
    return this.balancer === null
      ? this.nodes.filter((node) => node.isUp).map((node) => node.port)
      : [this.balancer.port];
  }

  private scriptFor(text: string): Script | undefined {
    const scripts = this.scripts.get(markOf(text));
    return scripts !== undefined && scripts.length > 1 ? scripts.shift() : scripts?.[0];
  }

  private async furnish(): Promise<void> {
    await this.signInAdmin();
    await this.asAdmin('PATCH', '/api/admin/general-settings', {
      guestMessageQuota: 100,
      guestAddressDailyQuota: 1_000_000,
      guestHourlyBudget: 1_000_000,
    });
    await this.asAdmin('POST', '/api/admin/models', { modelId: 'gpt-image-1', name: 'Pictures', provider: 'openai' });
    this.members = [];
    for (let count = 0; count < MEMBERS; count += 1) this.members.push(await this.newMember());
  }
}

const markOf = (text: string) => MARK.exec(text)?.[0] ?? '';

const someAddress = (number: number) => `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
