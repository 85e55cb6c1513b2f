/**
 * Technology without terms of the product, for every room.
 * Not here: limits, topics of the bus, gauges and tables of a subject; each is declared in the room of its subject.
 * - `bodies`: reads JSON bodies within their bounds: bytes, values, depth, pace, turns of large ones
 * - `bus`: notifications between nodes; tables that every node keeps in memory
 * - `clients`: bounds of one client: requests and connections of an address, slow bodies and downloads
 * - `database`: connections, read replica and which server is the primary, embedded Postgres, errors of
 *   Postgres
 * - `database/migrations`: in the order of their times, as they run; a released one never changes
 * - `errors`: statuses and bodies of error codes; translation of library errors into codes
 * - `fast-paths`: what reaches under a library for speed, each with its figure and beside its plain path
 * - `http`: HTTP server, validation, pagination, headers, error filter, request log
 * - `json`: depth of a JSON value; text and JSON in the form that Postgres accepts
 * - `mail`: SMTP
 * - `net`: origin, client address, SSRF guard
 * - `observability`: logger, metrics registry, tracing; tracing of one technology is in its room
 * - `operations`: `/api/health`, `/metrics`
 * - `rate-limits`: counting over Redis, Postgres or process memory
 * - `redis`: connections to a server, a cluster or Sentinels; sharded subscriptions of a cluster
 * - `resilience`: generic waiting: `withTimeout`, connecting with retries, restart backoff, queues
 * - `sandbox`: the bounded child process for untrusted input, its queue, and the memory that all of them share
 * - `secrets`: the secret of the installation; seals values for their row, again after a change of the secret; hashes
 * - `session`: session middleware and stores
 * - `sockets`: Socket.IO adapter over Redis, subscribers on other nodes, sticky sessions of workers, slow consumers
 * - `system`: process identity and usage, folders
 */

import type { Server } from 'node:http';
import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { ENV, type Env } from '../config/env.js';
import { TIMINGS, type Timings } from '../config/timings.js';
import { Bus } from './bus/bus.js';
import { SharedTables } from './bus/shared-tables.js';
import { type AddressReader, createAddressReader } from './net/client-address.js';
import { HealthController } from './operations/health.controller.js';
import { endKeepAlive } from './http/http-server.js';
import { LOGGER, type Logger } from './observability/logging.js';
import { Mailer } from './mail/mailer.js';
import { MetricsController } from './operations/metrics.controller.js';
import { Metrics } from './observability/metrics.js';
import { Tracing } from './observability/tracing.js';
import { ProxyWatch } from './net/proxy-watch.js';
import { ReadReplica } from './database/read-replica.js';
import { Statements } from './database/statements.js';
import { Refusals } from './rate-limits/refusals.js';
import { BackgroundWork } from './resilience/background-work.js';
import { LargeBodies } from './bodies/large-bodies.js';
import { RateLimits } from './rate-limits/rate-limits.js';
import type { RedisClient } from './redis/redis-client.js';
import { REDIS, type RedisFanOut } from './redis/redis.js';
import { MemoryBudget } from './sandbox/memory-budget.js';
import { SecretBox } from './secrets/secret-box.js';
import { AccountSessions, createAccountSessions } from './session/account-sessions.js';

function reportPool(metrics: Metrics, pool: Pool): void {
  metrics.gauge('tanya_pg_connections', 'Connections of the Postgres pool', () => pool.totalCount);
  metrics.gauge('tanya_pg_connections_idle', 'Idle connections of the Postgres pool', () => pool.idleCount);
  metrics.gauge('tanya_pg_waiting', 'Requests that wait for a connection of the pool', () => pool.waitingCount);
}

export const ADDRESS_READER = Symbol('ADDRESS_READER');
export const RESOURCES = Symbol('RESOURCES');

/** Connections and services that are opened before the modules and closed after them. */
export interface Resources {
  env: Env;
  timings: Timings;
  logger: Logger;
  tracing: Tracing;
  secrets: SecretBox;
  dataSource: DataSource;
  replica: ReadReplica;
  /** null for a single node. */
  redis: RedisClient | null;
  bus: Bus;
  /** Random id of this process, new at each start. */
  nodeId: string;
  /** Of this server: a hash of its code. */
  version: string;
  /** Connections for the fan-out of socket events to other nodes; null without Redis. */
  fanOut: RedisFanOut | null;
  close(): Promise<void>;
}

/** After the grace period answers have 5 s to store their end, and their clients the rest to get it. */
const LAST_ANSWERS_MS = 8_000;

@Global()
@Module({})
export class PlatformModule implements OnModuleDestroy, OnApplicationShutdown {
  constructor(
    @Inject(RESOURCES) private readonly resources: Resources,
    private readonly adapterHost: HttpAdapterHost<AbstractHttpAdapter<Server>>,
  ) {}

  static register(resources: Resources): DynamicModule {
    const readAddress: AddressReader = createAddressReader(resources.env.trustProxy, () =>
      resources.logger.warn('forwarded address unreadable; limits count the clients of this proxy as one'),
    );
    const { master } = resources.dataSource.driver as unknown as { master: Pool };
    const metrics = new Metrics();
    reportPool(metrics, master);
    const refusals = new Refusals(metrics);
    const statements = new Statements(master);
    const background = new BackgroundWork(resources.logger);
    const providers = [
      { provide: RESOURCES, useValue: resources },
      { provide: ENV, useValue: resources.env },
      { provide: TIMINGS, useValue: resources.timings },
      { provide: LOGGER, useValue: resources.logger },
      { provide: Tracing, useValue: resources.tracing },
      { provide: SecretBox, useValue: resources.secrets },
      { provide: REDIS, useValue: resources.redis },
      { provide: Bus, useValue: resources.bus },
      { provide: ADDRESS_READER, useValue: readAddress },
      { provide: Metrics, useValue: metrics },
      { provide: Refusals, useValue: refusals },
      { provide: MemoryBudget, useValue: new MemoryBudget() },
      { provide: Statements, useValue: statements },
      { provide: ReadReplica, useValue: resources.replica },
      { provide: BackgroundWork, useValue: background },
      {
        provide: SharedTables,
        useValue: new SharedTables(resources.bus, statements.run, resources.logger, background),
      },
      { provide: Mailer, useValue: new Mailer(resources.env.smtp) },
      { provide: LargeBodies, useValue: new LargeBodies() },
      { provide: RateLimits, useValue: new RateLimits(resources.redis, master, refusals) },
      { provide: AccountSessions, useValue: createAccountSessions(resources.dataSource, resources.redis) },
      {
        provide: ProxyWatch,
        useValue: new ProxyWatch(resources.env.trustProxy !== null, resources.logger),
      },
    ];
    return {
      module: PlatformModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => resources.dataSource.options,
          dataSourceFactory: async () => resources.dataSource,
        }),
      ],
      controllers: [HealthController, MetricsController],
      providers,
      exports: providers,
    };
  }

  onModuleDestroy(): void {
    const { shutdownGrace } = this.resources.timings;
    endKeepAlive(this.adapterHost.httpAdapter.getHttpServer(), shutdownGrace + LAST_ANSWERS_MS);
  }

  /** Nest calls this after every other module has stopped. */
  async onApplicationShutdown(): Promise<void> {
    await this.resources.close();
  }
}
