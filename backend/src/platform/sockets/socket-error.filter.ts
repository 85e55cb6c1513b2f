import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { toAppError, toErrorBody } from '../errors/error-body.js';
import { LOGGER, type Logger } from '../observability/logging.js';
import { isAck } from './socket-io.adapter.js';

/** Acknowledges a failed event with `{ ok: false, error }`; without an ack the client would wait until its timeout. */
@Catch()
export class SocketErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const error = toAppError(thrown);
    const id = randomUUID();
    if (error.status >= 500)
      this.logger.error({ err: error.cause ?? error, requestId: id, code: error.code }, 'socket event failed');
    const ack = host.getArgs<unknown[]>().find(isAck);
    ack?.({ ok: false, error: toErrorBody(error, id) });
  }
}
