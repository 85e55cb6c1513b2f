import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AppError } from '../errors/app-error.js';
import { toAppError, toErrorBody } from '../errors/error-body.js';
import { isPublicApi, publicApiStatus, toPublicApiError } from '../../public-api/public-api-error.js';
import { LOGGER, type Logger } from '../observability/logging.js';
import { discardRest } from './drain-body.js';

/** The single exit of every HTTP error; `/api/v1` speaks OpenAI's shape, everything else ours. */
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = toAppError(thrown);
    if (error.status >= 500)
      this.logger.error({ err: error.cause ?? error, requestId: request.id, code: error.code }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    void discardRest(request).then(() => this.answer(error, request, response));
  }

  private answer(error: AppError, request: Request, response: Response): void {
    if (error.retryAfter !== undefined) response.setHeader('Retry-After', String(Math.ceil(error.retryAfter)));
    if (isPublicApi(request.path)) response.status(publicApiStatus(error)).json(toPublicApiError(error));
    else response.status(error.status).json(toErrorBody(error, request.id));
  }
}
