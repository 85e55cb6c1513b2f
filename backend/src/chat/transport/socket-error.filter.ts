import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { FailureLog } from '../../failures/failure-log.js';
import { toAppError, toErrorBody } from '../../platform/errors/error-body.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { isAck } from '../../platform/sockets/socket-io.adapter.js';
import type { ChatSocket } from '../sockets/owner-sockets.js';

/** Acknowledges a failed event with `{ ok: false, error }`; without an ack the client would wait until its timeout. */
@Catch()
export class SocketErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly failures: FailureLog,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const error = toAppError(thrown);
    const requestId = randomUUID();
    if (error.status >= 500) {
      const { identity } = host.switchToWs().getClient<ChatSocket>().data;
      const { code } = error;
      this.logger.error(
        { err: error.cause ?? error, requestId, userId: identity.userId ?? undefined, code },
        'socket event failed',
      );
      this.failures.recordRequest(error, requestId, identity);
    }
    const ack = host.getArgs<unknown[]>().find(isAck);
    ack?.({ ok: false, error: toErrorBody(error, requestId) });
  }
}
