import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type AdminModel, LIMITS } from '@tanya/contract';
import { Redis } from 'ioredis';
import { DEFAULT_TIMINGS } from '../../src/config/timings.js';
import { HttpClient } from '../harness/http-client.js';
import { startRedis, type TestRedis } from '../harness/redis.js';
import { type Call, type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { askedText, type Script } from '../harness/scripted-answers.js';
import { freePort } from '../harness/free-port.js';
import { Embedder } from '../projects/embedder.js';
import { McpServer } from '../tools/mcp-server.js';
import { Balancer } from './balancer.js';
import { FleetServers } from './fleet/fleet-servers.js';
import { TestUser } from './page/test-user.js';
import type { Pace } from './pace.js';
import type { Database, PostgresServer } from './postgres-server.js';
import { ServerNode } from './server-node.js';
import { SmallDisk } from './small-disk.js';
import { TcpProxy } from './tcp-proxy.js';

const ADMIN = { username: 'admin', password: 'the first admin of all' };
export const PASSWORD = 'a quiet harbour at dawn';

/** Members that send in turn, so that their rate limits do not affect a run. */
const MEMBERS = 60;

/** Size of the disk of the uploads, MB: 20 rounds of the files of projects. */
const FILES_DISK = 64;

/** Token in every message that identifies its calls at the provider. */
const MARK = /«(\w+)»/;

export interface HarnessOptions {
  name: string;
  dist: string;
  folder: string;
  /** Postgres of every harness except a fleet. */
  postgres: PostgresServer;
  pace: Pace;
  /** Number of server processes; without Redis there is one, which owns its database. */
  nodes: number;
  redis: boolean;
  /** Whether the processes share a Redis Cluster and two servers of Postgres, which `redis` and `postgres` do not name. */
  isFleet: boolean;
  /** Number of accounts; `MEMBERS` by default. */
  members?: number;
  /** Path of nginx, which then balances the processes. */
  nginx?: string;
  env?: Record<string, string>;
}

/** Targets of the faults: server processes, their database, Redis, the provider, and the proxies between them. */
export class FaultHarness {
  private members: TestUser[] = [];
  private turn = 0;
  private guests = 0;
  /** Guests of `owners`, beyond the members. */
  private readonly crowd: TestUser[] = [];
  /** The provider's vectors. */
  readonly embedder = new Embedder();
  private readonly scripts = new Map<string, Script[]>();
  private readonly callsByMark = new Map<string, Call[]>();
  private assigned = 0;
  admin!: HttpClient;

  private constructor(
    readonly options: HarnessOptions,
    readonly database: Database,
    readonly fleet: FleetServers | null,
    readonly redis: TestRedis | null,
    readonly redisProxy: TcpProxy | null,
    readonly upstream: ScriptedUpstream,
    readonly upstreamProxy: TcpProxy,
    /** An MCP server that the administrator has registered. */
    readonly mcp: McpServer,
    readonly nodes: ServerNode[],
    /** Entry point of clients, balanced over the running processes. */
    readonly front: TcpProxy,
    /** Disk of the uploads. */
    readonly files: SmallDisk,
    private readonly balancer: Balancer | null,
  ) {}

  static async open(options: HarnessOptions): Promise<FaultHarness> {
    const { name, postgres, folder, dist, pace } = options;
    const files = await SmallDisk.at(join(folder, 'data', 'files'), FILES_DISK);
    const fleet = options.isFleet ? await FleetServers.start() : null;
    const database = fleet?.database ?? (await postgres.createDatabase(name));
    const redis = options.redis ? await startRedis() : null;
    const redisProxy = redis === null ? null : await TcpProxy.open(() => [Number(new URL(redis.url).port)]);
    let harness: FaultHarness | null = null;
    const upstream = await startUpstream({
      words: 40,
      parsesUpTo: LIMITS.jsonBytes,
      choose: (text, body) => harness?.scriptFor(text) ?? harness?.embedder.answer(body),
    });
    const upstreamProxy = await TcpProxy.open(() => [Number(new URL(upstream.url).port)]);
    const mcp = await new McpServer().start();
    const front = await TcpProxy.open(() => harness?.upPorts ?? []);
    const { nginx } = options;
    const balancerPort = nginx === undefined ? null : await freePort();
    const env = {
      DATABASE_URL: database.url,
      ...(redisProxy === null ? {} : { REDIS_URL: `redis://127.0.0.1:${redisProxy.port}` }),
      ...(fleet === null ? {} : { REDIS_URL: fleet.redis.url }),
      APP_SECRET: randomBytes(32).toString('base64url'),
      PUBLIC_URL: balancerPort === null ? front.url : `http://127.0.0.1:${balancerPort}`,
      DATA_DIR: join(folder, 'data'),
      // The clients name their addresses themselves; nginx adds theirs as the harness's own.
      TRUST_PROXY: balancerPort === null ? '1' : '2',
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      OPENAI_API_KEY: 'sk-fault-harness',
      OPENAI_BASE_URL: fleet === null ? `${upstreamProxy.url}/v1` : upstream.url,
      LOG_LEVEL: 'warn',
      ...options.env,
    };
    const nodes: ServerNode[] = [];
    for (let index = 0; index < options.nodes; index += 1) {
      const node = { name: `${name}-${index + 1}`, dist, folder, env, pace };
      nodes.push(new ServerNode(node, await freePort()));
    }
    // The first one migrates the database.
    await nodes[0]?.start();
    await Promise.all(nodes.slice(1).map((node) => node.start()));
    const ports = nodes.map((node) => node.port);
    const balancer =
      nginx === undefined || balancerPort === null
        ? null
        : await Balancer.start(nginx, join(folder, 'nginx'), balancerPort, ports);
    harness = new FaultHarness(
      options,
      database,
      fleet,
      redis,
      redisProxy,
      upstream,
      upstreamProxy,
      mcp,
      nodes,
      front,
      files,
      balancer,
    );
    await harness.createFixtures();
    return harness;
  }

  /** Heartbeat timeout after which a node is dead, ms. */
  get nodeDead(): number {
    return { ...DEFAULT_TIMINGS, ...this.options.pace.timings }.nodeDead;
  }

  /** Address of the clients. */
  get url(): string {
    return this.balancer?.url ?? this.front.url;
  }

  /** The next member in turn. */
  member(): TestUser {
    this.turn += 1;
    return this.members[this.turn % this.members.length]!;
  }

  /** A new guest. */
  async guest(): Promise<TestUser> {
    this.guests += 1;
    const guest = new TestUser(this.url, addressOf(this.guests), null, null);
    await guest.browser.get('/api/general-settings');
    return guest;
  }

  /** Different owners: the members, then guests. */
  async owners(count: number): Promise<TestUser[]> {
    while (this.members.length + this.crowd.length < count) this.crowd.push(await this.guest());
    return [...this.members, ...this.crowd].slice(0, count);
  }

  async newMember(fields: { isPremium?: boolean; isAdmin?: boolean } = {}): Promise<TestUser> {
    const username = `member-${randomBytes(6).toString('hex')}`;
    const { isPremium = true, isAdmin = false } = fields;
    const account = { username, password: PASSWORD, isPremium, isAdmin };
    const { id } = (await this.asAdmin('POST', '/api/admin/users', account)) as { id: number };
    this.guests += 1;
    return new TestUser(this.url, addressOf(this.guests), { username, password: PASSWORD }, id);
  }

  /** A new token that identifies a message at the provider. */
  mark(): string {
    return `«m${randomBytes(5).toString('hex')}»`;
  }

  /** Responses to the calls of a marked message, in order; the last one repeats. */
  script(mark: string, ...scripts: Script[]): void {
    this.scripts.set(mark, scripts);
  }

  /** Provider calls of a message so far. */
  callsFor(text: string): Call[] {
    const { calls } = this.upstream;
    for (; this.assigned < calls.length; this.assigned += 1) {
      const call = calls[this.assigned]!;
      const mark = markOf(askedText(call.body));
      this.callsByMark.set(mark, [...(this.callsByMark.get(mark) ?? []), call]);
    }
    return this.callsByMark.get(markOf(text)) ?? [];
  }

  /** Runs of a marked tool so far: calls of the provider's server by a built-in tool, and calls of the MCP server. */
  runsOf(mark: string): number {
    const calls = this.mcp.of('tools/call').filter(({ params }) => JSON.stringify(params).includes(mark));
    return this.callsFor(mark).length + calls.length;
  }

  /** A call of the admin, who signs in again when the session is lost. */
  async asAdmin(method: string, path: string, body: object): Promise<unknown> {
    const answer = await this.admin.send(method, path, { body });
    if (answer.status < 300) return answer.body;
    if (answer.status !== 401) throw new Error(`admin call failed: ${answer.status} ${answer.text}`);
    await this.signInAdmin();
    return this.asAdmin(method, path, body);
  }

  async signInAdmin(): Promise<void> {
    this.admin = new HttpClient(this.url, addressOf(0));
    const answer = await this.admin.post('/api/login', ADMIN);
    if (answer.status !== 200) throw new Error(`admin login failed: ${answer.status} ${answer.text}`);
  }

  /** Deletes everything in Redis, sessions included. */
  async flushRedis(): Promise<void> {
    await this.withRedis((redis) => redis.flushall());
  }

  /** Deletes the quota counter of an owner. */
  async deleteCounter(owner: string): Promise<void> {
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

  /** Values of keys; none without Redis. */
  async redisValues(keys: string[]): Promise<(string | null)[]> {
    if (this.fleet !== null) return this.fleet.redisValues(keys);
    return this.redis === null ? [] : this.withRedis((redis) => redis.mget(keys));
  }

  /** Undoes the fault: proxies pass, and every node runs and is ready. */
  async restore(): Promise<void> {
    for (const proxy of [this.redisProxy, this.upstreamProxy, this.front, this.options.postgres.proxy])
      proxy?.restore();
    await this.fleet?.restore();
    for (const node of this.nodes) {
      node.thaw();
      await node.removeTrap();
      await node.setClock(0);
      if (!node.isUp) await node.start();
    }
    for (const node of this.nodes) await node.untilReady();
  }

  /** Closes the idle connections of the balancer, which it would keep for a minute. */
  closeIdle(): void {
    this.balancer?.reload();
  }

  async close(): Promise<void> {
    await this.balancer?.stop();
    for (const node of this.nodes) await node.kill();
    for (const proxy of [this.front, this.upstreamProxy, this.redisProxy]) await proxy?.close();
    await this.upstream.close();
    this.mcp.close();
    await this.redis?.stop();
    await this.database.disconnect();
    await this.fleet?.stop();
    this.files.unmount();
  }

  private get upPorts(): number[] {
    return this.balancer === null
      ? this.nodes.filter((node) => node.isUp).map((node) => node.port)
      : [this.balancer.port];
  }

  /** Prices of all models, and budgets that no run spends: their sums are audited. */
  private async setBudgets(): Promise<void> {
    const { body: models } = await this.admin.get<AdminModel[]>('/api/admin/models');
    const pricing = { prompt: '0.000001', completion: '0.000002', request: '0.0001', image: '0.04' };
    for (const { id } of models) await this.asAdmin('PATCH', `/api/admin/models/${id}`, { pricing });
    await this.asAdmin('PATCH', '/api/admin/general-settings', {
      freeUserBudgetUsd: '100000',
      premiumUserBudgetUsd: '100000',
      userBudgetPeriod: 'weekly',
      installationBudgetUsd: '1000000',
      installationBudgetPeriod: 'daily',
    });
  }

  private scriptFor(text: string): Script | undefined {
    const scripts = this.scripts.get(markOf(text));
    return scripts !== undefined && scripts.length > 1 ? scripts.shift() : scripts?.[0];
  }

  private async createFixtures(): Promise<void> {
    await this.signInAdmin();
    await this.asAdmin('PATCH', '/api/admin/general-settings', {
      guestMessageQuota: 100,
      guestAddressDailyQuota: 1_000_000,
      guestHourlyBudget: 1_000_000,
    });
    await this.asAdmin('POST', '/api/admin/models', { modelId: 'gpt-image-1', name: 'Pictures', provider: 'openai' });
    await this.asAdmin('POST', '/api/admin/tool-servers', { name: 'Harness', url: this.mcp.url });
    await this.setBudgets();
    this.members = [];
    const { members = MEMBERS } = this.options;
    for (let count = 0; count < members; count += 1) this.members.push(await this.newMember());
  }
}

const markOf = (text: string) => MARK.exec(text)?.[0] ?? '';

const addressOf = (number: number) => `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
