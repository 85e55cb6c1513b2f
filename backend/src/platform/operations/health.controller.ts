import { Controller, Get, HttpStatus, Inject, type OnModuleDestroy, Res } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Response } from 'express';
import type { DataSource } from 'typeorm';
import { pingRedis } from '../redis/redis-checks.js';
import type { RedisClient } from '../redis/redis-client.js';
import { REDIS } from '../redis/redis.js';

type Check = 'ok' | 'away';

interface Readiness {
  status: 'ready' | 'draining' | 'away';
  checks: { postgres: Check; redis?: Check };
}

/** Timeout of one check; it then counts as unavailable. */
const CHECK_TIMEOUT_MS = 2_000;

/** Lifetime of a result: probes within this time share one check, so that a flood of probes does not load Postgres. */
const RESULT_TTL_MS = 500;

/** Liveness and readiness probes for load balancers and supervisors. */
@Controller('api/health')
export class HealthController implements OnModuleDestroy {
  private draining = false;
  private checkedAt = -Infinity;
  private result: Promise<Readiness['checks']> | null = null;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(REDIS) private readonly redis: RedisClient | null,
  ) {}

  /** Runs first at shutdown, while requests are still served: balancers stop sending new ones. */
  onModuleDestroy(): void {
    this.draining = true;
  }

  @Get('live')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const checks = await this.checks();
    const isAway = Object.values(checks).includes('away');
    const status = this.draining ? 'draining' : isAway ? 'away' : 'ready';
    if (status !== 'ready') response.status(HttpStatus.SERVICE_UNAVAILABLE).setHeader('Retry-After', '5');
    return { status, checks };
  }

  private checks(): Promise<Readiness['checks']> {
    const now = performance.now();
    if (this.result === null || now - this.checkedAt > RESULT_TTL_MS) {
      this.checkedAt = now;
      this.result = this.checkAll();
    }
    return this.result;
  }

  private async checkAll(): Promise<Readiness['checks']> {
    const [postgres, redis] = await Promise.all([
      checkOf(this.dataSource.query('select 1')),
      this.redis === null ? undefined : checkOf(pingRedis(this.redis)),
    ]);
    return { postgres, ...(redis === undefined ? {} : { redis }) };
  }
}

async function checkOf(reply: Promise<unknown>): Promise<Check> {
  const timeout = new Promise<Check>((resolve) => setTimeout(() => resolve('away'), CHECK_TIMEOUT_MS).unref());
  return Promise.race([reply.then((): Check => 'ok').catch((): Check => 'away'), timeout]);
}
