import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ENV, type Env } from '../../config/env.js';
import { AppError } from '../errors/app-error.js';
import { Metrics } from '../observability/metrics.js';
import { isLoopbackHost } from '../net/address-ranges.js';

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Metrics for Prometheus. With METRICS_TOKEN a request needs the token. Without it only direct requests from this machine
 * are served: not through a proxy, not under another host name, and not when PUBLIC_URL is a public address.
 */
@Controller('metrics')
export class MetricsController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly metrics: Metrics,
  ) {}

  @Get()
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.admit(request);
    const { type, text } = await this.metrics.exposition();
    response.setHeader('Content-Type', type);
    response.end(text);
  }

  private admit(request: IncomingMessage): void {
    const { metricsToken, publicUrl } = this.env;
    if (metricsToken !== null) {
      const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
      if (timingSafeEqual(digest(given), digest(metricsToken))) return;
      throw new AppError('unauthenticated', { reason: 'metrics_token' });
    }
    const isPublic = publicUrl !== null && !isLoopbackHost(publicUrl.hostname);
    if (isPublic || !isLocalAndDirect(request)) throw new AppError('not_found');
  }
}

function isLocalAndDirect({ headers, socket }: IncomingMessage): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:/i, '') ?? '';
  const host = `http://${headers.host}`;
  const hostname = URL.canParse(host) ? new URL(host).hostname : '';
  return isLoopbackHost(address) && isLoopbackHost(hostname) && FORWARDED.every((name) => headers[name] === undefined);
}
