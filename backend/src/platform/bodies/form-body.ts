import express, { type RequestHandler } from 'express';
import { AppError } from '../errors/app-error.js';
import { tooLarge } from '../errors/error-body.js';

/** A form of this size is read in a millisecond. */
const BYTES = 256 * 1024;
const FIELDS = 20;

/** The middleware of a route that takes a plain form. */
export function readForm(): RequestHandler {
  const read = express.urlencoded({ extended: false, limit: BYTES, parameterLimit: FIELDS, inflate: false });
  return (request, response, next) => {
    void read(request, response, (error?: unknown) => {
      if (error === undefined || error === null) return next();
      const { status } = error as { status?: number };
      next(status === 413 ? tooLarge(BYTES, 'bytes') : new AppError('invalid', { cause: error }));
    });
  };
}
