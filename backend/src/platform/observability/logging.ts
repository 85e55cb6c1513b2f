import { randomUUID } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';

export const LOGGER = Symbol('LOGGER');

export type { Logger };

/** Characters of the message and of the stack of an error. */
const MAX_TEXT = 4_000;

/** What JSON leaves as it is, and a terminal or a reader of lines obeys: C1 controls, line ends, changes of direction. */
const CONTROLS = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Logger of JSON lines. Lines never contain bodies, prompts, keys or cookies.
 * @param target stdout by default
 */
export function createLogger(level: string, target?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ['req.headers', 'res.headers', '*.password', '*.apiKey'], remove: true },
      serializers: { err: loggedError },
      hooks: { streamWrite: (line) => line.replace(CONTROLS, escaped) },
    },
    target,
  );
}

/** The fields of an error alone that are known to hold no text of users: a failed statement has its parameters as a field. */
function loggedError(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const { type, message, stack } = pino.stdSerializers.err(thrown);
  const { code } = thrown as { code?: unknown };
  return { type, message: cut(message), code: typeof code === 'string' ? cut(code) : undefined, stack: cut(stack) };
}

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text).toWellFormed();

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
