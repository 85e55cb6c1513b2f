import { NotFoundException } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import { isKey } from '../api-keys/key-text.js';
import { AppError } from '../platform/errors/app-error.js';
import { publicOrigin } from '../platform/net/origin.js';

/** Whether a path belongs to the API for programs. Express matches routes in any case, so this does too. */
export const isPublicApi = (path: string): boolean => /^\/api\/v1(\/|$)/i.test(path);

/** Whether a path is that of `POST /chat`, the first call of this API. */
export const isFirstCall = (path: string): boolean => /^\/api\/v1\/chat$/i.test(path);

/** Whether a path belongs to Anthropic's API, also below a wrong base URL. */
export const isMessagesPath = (path: string): boolean => /^(\/+api)?(\/+v1)*\/+messages(\/|$)/i.test(path);

const tidy = (path: string): string => path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');

/**
 * Calls of programs that have a wrong base URL; Azure's clients add `/openai`, those of Gemini `/v1beta`, Ollama's `/api`. Some
 * guess another version.
 */
const MISPLACED =
  /^((\/v\d((alpha|beta)\d?)?|\/models|\/openai)(\/|$)|(\/api(\/v(?!1\/)\d\w{0,9})?)?\/(chat\/completions|completions|responses(\/[^/]+)?|messages|messages\/count_tokens|embeddings|images\/generations|audio\/transcriptions)$|\/api\/v(?!1\/)\d\w{0,9}\/models$|\/api\/(chat|generate|tags|show|embed)$)/i;

/** Whether a request is a call of the API, below a wrong base URL. `/api/models` is a call of the page unless it has a key. */
export const isMisplaced = ({ path, headers }: Request): boolean =>
  MISPLACED.test(tidy(path)) ||
  (/^\/api\/models$/i.test(tidy(path)) && isKey(headers.authorization?.replace(/^Bearer /i, '') ?? ''));

/** The path that Groq's client puts before each call, whatever its base URL is: no base URL of ours would do. */
const OF_GROQ = /^(?:\/api)?\/openai\/v1(?=\/|$)/i;

/**
 * Removes double slashes and one at the end: programs join a base URL and a path in many ways. Calls of Groq's client become
 * those of this API.
 */
export const tidyAddress: RequestHandler = (request, _response, next) => {
  const [path = ''] = request.url.split('?', 1);
  const own = tidy(path).replace(OF_GROQ, '/api/v1');
  if (isPublicApi(own)) request.url = own + request.url.slice(path.length);
  next();
};

/** Refuses calls below a wrong base URL, in place of the page, unless the client asks for HTML. */
export const refuseMisplaced: RequestHandler = (request, _response, next) => {
  const wantsPage = /\btext\/html\b/i.test(request.headers.accept ?? '');
  next(isMisplaced(request) && !wantsPage ? new NotFoundException() : undefined);
};

/** Both APIs have the models. */
const MODELS = /^\/api\/v1\/models(\/|$)/i;

/** The methods of each call of the API. */
const METHODS: readonly [RegExp, methods: string][] = [
  [
    /^\/api\/v1\/(chat|chat\/completions|responses|responses\/(compact|input_tokens)|messages|messages\/count_tokens|embeddings|images\/generations|audio\/transcriptions)$/i,
    'POST',
  ],
  [MODELS, 'GET, HEAD'],
  [/^\/api\/v1\/responses\/[^/]+$/i, 'GET, HEAD, DELETE'],
];

/** Whether an address below this API has no call: 404, whatever is sent there, such as the files of a call that is missing. */
export const isWithoutAddress = (path: string): boolean =>
  isPublicApi(path) && !METHODS.some(([address]) => address.test(path));

/** Whether a path is that of a call which OpenAI's API has and Anthropic's has not. */
export const isOpenAiCall = (path: string): boolean =>
  !isMessagesPath(path) && METHODS.some(([address]) => address !== MODELS && address.test(path));

const isWithoutCall = ({ code, cause }: AppError): boolean =>
  code === 'not_found' && cause instanceof NotFoundException;

/** The methods that the error of an address names, which was asked with another one; undefined for any other error. */
export const namedMethods = ({ code, params }: AppError): string | undefined =>
  code === 'not_found' && typeof params?.['methods'] === 'string' ? params['methods'] : undefined;

/** The error of an address without a call, which names its methods or the right base URL; any other error stays. */
export function withBaseUrl(error: AppError, request: Request, publicUrl: URL | null): AppError {
  if (!isWithoutCall(error)) return error;
  const [, methods] = METHODS.find(([address]) => address.test(request.path)) ?? [];
  if (methods !== undefined)
    return new AppError('not_found', { reason: 'method', params: { method: request.method, methods } });
  const origin = publicOrigin(request, publicUrl);
  return new AppError('not_found', {
    reason: 'address',
    params: { openai: `${origin}/api/v1`, anthropic: `${origin}/api` },
  });
}
