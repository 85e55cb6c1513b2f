import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { ERROR_CODES, ERROR_REASONS, ERRORS, LIMITS } from '@tanya/contract';
import { AppError, invalidField, refuseField } from './app-error.js';
import { toAppError, toErrorBody } from './error-body.js';

describe('toAppError', () => {
  const coded = (code: string) => Object.assign(new Error('select secret from x'), { code });

  const cases: [string, unknown, string][] = [
    ['an AppError', new AppError('thread_busy'), 'thread_busy'],
    ['Nest’s not found', new NotFoundException(), 'not_found'],
    ['Nest’s bad request', new BadRequestException(), 'invalid'],
    ['a range beyond a file', new HttpException('Range Not Satisfiable', 416), 'range_unsatisfiable'],
    ['a failed precondition', new HttpException('Precondition Failed', 412), 'invalid'],
    ['a parser’s 413', { status: 413, message: 'request entity too large' }, 'too_large'],
    ['a parser’s 400', { status: 400, message: 'Unexpected token' }, 'invalid'],
    ['invalid UTF-8', coded('22021'), 'invalid'],
    ['a number beyond bigint', coded('22003'), 'invalid'],
    ['a malformed id', coded('22P02'), 'invalid'],
    ['a Postgres shutdown', coded('57P01'), 'storage_unavailable'],
    ['too many connections', coded('53300'), 'storage_unavailable'],
    ['a deadlock', coded('40P01'), 'storage_unavailable'],
    ['a prepared statement that is gone', coded('26000'), 'storage_unavailable'],
    ['changed columns of a prepared statement', coded('0A000'), 'storage_unavailable'],
    ['a refused connection', coded('ECONNREFUSED'), 'storage_unavailable'],
    ['a busy DNS resolver', coded('EAI_AGAIN'), 'storage_unavailable'],
    ['a Postgres timeout', new Error('timeout expired'), 'storage_unavailable'],
    ['a query wrapped by TypeORM', { driverError: coded('08006') }, 'storage_unavailable'],
    ['an exhausted pool', new Error('timeout exceeded when trying to connect'), 'storage_unavailable'],
    ['a closed Redis connection', new Error('Connection is closed.'), 'storage_unavailable'],
    ['a row whose owner was deleted meanwhile', coded('23503'), 'conflict'],
    ['a number that is taken, as after a restore without sequences', coded('23505'), 'internal'],
    ['a full disk', coded('ENOSPC'), 'storage_full'],
    ['a full database', coded('53100'), 'storage_full'],
    ['a spent quota of the disk', coded('EDQUOT'), 'storage_full'],
    ['a disk that is mounted read-only', coded('EROFS'), 'storage_unavailable'],
    ['no file descriptor', coded('EMFILE'), 'storage_unavailable'],
    ['a Postgres without memory', coded('53200'), 'storage_unavailable'],
    ['a failing disk of Postgres', coded('58030'), 'storage_unavailable'],
    ['a full Redis', new Error("OOM command not allowed when used memory > 'maxmemory'."), 'storage_unavailable'],
    [
      'a Redis whose disk is full',
      new Error('MISCONF Redis is configured to save RDB snapshots'),
      'storage_unavailable',
    ],
    ['a bug', new TypeError('x is not a function'), 'internal'],
    ['a string', 'oops', 'internal'],
    ['null', null, 'internal'],
    ['undefined', undefined, 'internal'],
  ];

  it.each(cases)('maps %s', (_what, thrown, code) => {
    expect(toAppError(thrown).code).toBe(code);
  });

  it('reveals no SQL, stack or cause (I7)', () => {
    const body = toErrorBody(toAppError(coded('XX000')), 'r1');
    expect(body).toEqual({
      statusCode: 500,
      code: 'internal',
      message: ERRORS.internal.sentence,
      retryable: true,
      requestId: 'r1',
    });
  });
});

describe('toErrorBody', () => {
  it.each(ERROR_CODES)('has every field for %s', (code) => {
    const body = toErrorBody(new AppError(code), 'r1');
    expect(body.statusCode).toBeGreaterThanOrEqual(400);
    expect(body.message).not.toBe('');
    expect(body).toMatchObject({ code, requestId: 'r1' });
  });

  it('contains field errors and Retry-After when known', () => {
    expect(toErrorBody(invalidField('title', 'Please enter a title'), 'r1')).toMatchObject({
      message: 'Please enter a title',
      details: [{ field: 'title', message: 'Please enter a title' }],
    });
    expect(toErrorBody(refuseField('file', 'empty_file'), 'r1')).toMatchObject({
      message: ERROR_REASONS.invalid.empty_file,
      details: [{ field: 'file', message: ERROR_REASONS.invalid.empty_file, code: 'empty_file' }],
    });
    expect(toErrorBody(new AppError('rate_limited', { retryAfter: 7 }), 'r1').retryAfter).toBe(7);
    expect(toErrorBody(new AppError('storage_unavailable'), 'r1').retryAfter).toBeGreaterThan(0);
  });

  it('has the sentence of a reason with its values, which pages in other languages read', () => {
    const body = toErrorBody(new AppError('conflict', { reason: 'api_keys', params: { max: LIMITS.apiKeys } }), 'r1');
    expect(body.message).toBe(`You can have at most ${LIMITS.apiKeys} API keys. Please delete one first.`);
    expect(body.details).toEqual({ params: { reason: 'api_keys', max: LIMITS.apiKeys } });
  });

  it('has the sentence alone for a reason that no page translates', () => {
    const body = toErrorBody(new AppError('not_found', { reason: 'user' }), 'r1');
    expect(body.message).toBe('This user does not exist. The account may have been deleted.');
    expect(body.details).toBeUndefined();
    const large = toErrorBody(
      new AppError('too_large', { reason: 'input', params: { limit: 2000, unit: 'values' } }),
      'r1',
    );
    expect(large.message).toMatch(/at most 2,000 values are allowed/);
    expect(large.details).toEqual({ params: { limit: 2000, unit: 'values' } });
  });

  it('keeps braces of the input in the sentence of a field', () => {
    expect(toErrorBody(invalidField('{a', 'property {a should not exist'), 'r1').message).toMatch(/^property \{a/);
  });
});
