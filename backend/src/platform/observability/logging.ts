import { randomUUID } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';

export const LOGGER = Symbol('LOGGER');

export type { Logger };

/** Logger of JSON lines on stdout. Lines never contain bodies, prompts, keys or cookies. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['req.headers', 'res.headers', '*.password', '*.apiKey'], remove: true },
  });
}

export function nestLogger(logger: Logger): LoggerService {
  const line = (context: unknown) => (typeof context === 'string' ? { context } : {});
  return {
    log: (message: unknown, context?: unknown) => logger.debug(line(context), String(message)),
    debug: (message: unknown, context?: unknown) => logger.debug(line(context), String(message)),
    verbose: (message: unknown, context?: unknown) => logger.trace(line(context), String(message)),
    warn: (message: unknown, context?: unknown) => logger.warn(line(context), String(message)),
    error: (message: unknown, ...rest: unknown[]) =>
      logger.error({ ...line(rest.at(-1)), err: message instanceof Error ? message : undefined }, String(message)),
    fatal: (message: unknown, context?: unknown) => logger.fatal(line(context), String(message)),
  };
}

/** Request id for log lines and error bodies. A well-formed id from a proxy is kept. */
export function requestId(offered: unknown): string {
  return typeof offered === 'string' && /^[\w-]{8,64}$/.test(offered) ? offered : randomUUID();
}
