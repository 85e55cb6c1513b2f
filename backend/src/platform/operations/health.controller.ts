import { Controller, Get, HttpStatus, Inject, type OnModuleDestroy, Res } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Response } from 'express';
import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { REDIS } from '../redis/redis.js';

type Check = 'ok' | 'away';

interface Readiness {
  status: 'ready' | 'draining' | 'away';
  checks: { postgres: Check; redis?: Check };
}

/** A probe that has no answer by then has its answer, ms. */
const CHECK_TIMEOUT_MS = 2_000;

/** Probes of everybody share one look within this time, so that they can't keep the database busy; ms. */
const FRESH = 500;

/** For balancers and supervisors: is this process alive, and should it get work. */
@Controller('api/health')
export class HealthController implements OnModuleDestroy {
  private draining = false;
  private lookedAt = -Infinity;
  private look: Promise<Readiness['checks']> | null = null;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(REDIS) private readonly redis: Redis | null,
  ) {}

  /** The first thing to happen at a stop, while calls are still answered: balancers look elsewhere from now on. */
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
    if (this.look === null || now - this.lookedAt > FRESH) {
      this.lookedAt = now;
      this.look = this.lookAround();
    }
    return this.look;
  }

  private async lookAround(): Promise<Readiness['checks']> {
    const [postgres, redis] = await Promise.all([
      answers(this.dataSource.query('select 1')),
      this.redis === null ? undefined : answers(this.redis.ping()),
    ]);
    return { postgres, ...(redis === undefined ? {} : { redis }) };
  }
}

async function answers(question: Promise<unknown>): Promise<Check> {
  const silence = new Promise<Check>((resolve) => setTimeout(() => resolve('away'), CHECK_TIMEOUT_MS).unref());
  return Promise.race([question.then((): Check => 'ok').catch((): Check => 'away'), silence]);
}
