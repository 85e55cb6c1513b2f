import { randomUUID } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';

export const LOGGER = Symbol('LOGGER');

export type { Logger };

/** Structured logs on stdout: no bodies, no prompts, no keys, no cookies. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['req.headers', 'res.headers', '*.password', '*.apiKey'], remove: true },
  });
}

/** Sends Nest's own lines to the same place. */
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

/** The id that a log line and an error's body share. A proxy's own id is kept when it is harmless. */
export function requestId(offered: unknown): string {
  return typeof offered === 'string' && /^[\w-]{8,64}$/.test(offered) ? offered : randomUUID();
}
