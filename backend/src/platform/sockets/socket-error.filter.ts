import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { toAppError, toErrorBody } from '../errors/error-body.js';
import { LOGGER, type Logger } from '../observability/logging.js';

/** Answers the ack of a failed event with `{ ok: false, error }`; without it the client would wait for ever. */
@Catch()
export class SocketErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const error = toAppError(thrown);
    const id = randomUUID();
    if (error.status >= 500)
      this.logger.error({ err: error.cause ?? error, requestId: id, code: error.code }, 'socket event failed');
    const ack = host
      .getArgs<unknown[]>()
      .find((argument): argument is (answer: unknown) => void => typeof argument === 'function');
    ack?.({ ok: false, error: toErrorBody(error, id) });
  }
}
