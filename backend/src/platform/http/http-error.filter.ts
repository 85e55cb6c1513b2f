import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { ErrorCode } from '@tanya/contract';
import type { Request, Response } from 'express';
import type { AppError } from '../errors/app-error.js';
import { toAppError, toErrorBody } from '../errors/error-body.js';
import type { Logger } from '../observability/logging.js';
import { drainBody, finishAndClose } from './drain-body.js';

/** Error shape of one part of the API, in place of the common error body. */
export interface ErrorFormat {
  appliesTo(request: Request): boolean;
  status(error: AppError, request: Request): number;
  headers?(error: AppError, request: Request): Record<string, string>;
  /** Adds headers that must be looked up. Where that fails, the answer has none of them. */
  addHeaders?(error: AppError, request: Request, response: Response): Promise<void>;
  body(error: AppError, request: Request): object;
}

const COMMON_FORMAT: ErrorFormat = {
  appliesTo: () => true,
  status: ({ status }) => status,
  body: (error, { id }) => toErrorBody(error, id),
};

/** Refusals of a body, after which the connection closes: the client may go on sending. */
const CLOSING = new Set<ErrorCode>(['too_large', 'request_timeout', 'server_busy']);

/** Refusals of status 5xx for what a client sends or keeps: too much at once, or beyond its storage. The request line has them. */
const isOfClient = ({ code, cause }: AppError): boolean =>
  code === 'server_busy' || (code === 'storage_full' && cause === undefined);

/** Answers every failed HTTP request with the error body that its path speaks. */
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  private readonly formats: ErrorFormat[];

  /**
   * @param logFields further fields of a log line, which identify the client
   * @param onFailure receives the failures of this side and of providers
   */
  constructor(
    private readonly logger: Logger,
    formats: ErrorFormat[],
    private readonly logFields: (request: Request) => object,
    private readonly onFailure: (error: AppError, request: Request) => void,
  ) {
    this.formats = [...formats, COMMON_FORMAT];
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = toAppError(thrown);
    if (error.status >= 500 && !isOfClient(error)) {
      const { id: requestId } = request;
      const fields = { err: error.cause ?? error, requestId, code: error.code, ...this.logFields(request) };
      this.logger.error(fields, 'request failed');
      this.onFailure(error, request);
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // A body that arrives too slowly is not waited for.
    const drained = error.code === 'request_timeout' ? Promise.resolve(false) : drainBody(request);
    void drained.then(async (isDrained) => {
      const format = this.formats.find((one) => one.appliesTo(request)) ?? COMMON_FORMAT;
      await format.addHeaders?.(error, request, response).catch(() => undefined);
      if (response.destroyed || response.headersSent) return;
      if (error.retryAfter !== undefined) response.setHeader('Retry-After', String(Math.ceil(error.retryAfter)));
      response.set(format.headers?.(error, request) ?? {});
      if (CLOSING.has(error.code)) response.setHeader('Connection', 'close');
      response.status(format.status(error, request));
      const body = format.body(error, request);
      if (isDrained) response.json(body);
      else finishAndClose(request, response, body);
    });
  }
}
