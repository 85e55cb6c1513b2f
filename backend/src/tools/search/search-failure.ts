import type { ConnectionFault, SearchService } from '@tanya/contract';
import { OutboundFailure, outboundFailure } from '../outbound/outbound-failure.js';

const SENTENCES: Partial<Record<ConnectionFault, string>> = {
  unauthorized: 'The search service refused the API key.',
  no_credit: 'The plan of the search service is used up.',
  rate_limited: 'The search service answered that there are too many requests (status 429).',
  not_found: 'The search service answered with status 404. Please check the address.',
  redirect: 'The search service answered with a redirect, which is not followed. Please enter the final address.',
  html: 'The address answered with a web page instead of results. Please check it.',
  invalid_answer: 'The search service sent an answer that cannot be read.',
  too_large: 'The search service sent an answer that is too large.',
  timeout: 'The search service did not answer in time.',
  dns: 'The host name of the search service cannot be resolved.',
  refused: 'The host refused the connection. Please check the host and port of the address.',
  tls: 'A secure connection could not be established. Please check the certificate and the scheme of the address.',
  unreachable: 'The search service cannot be reached.',
  address_forbidden: 'This address is not allowed.',
  not_configured: 'No search service is configured.',
};

const JSON_REFUSED =
  'The server refused the search (status 403). Please add json to search.formats in its settings.yml.';
const NO_ENGINE = 'No search engine of the server answered.';

/** A failed search. `message` is for admins; it holds no key and no text of the service. */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure';

  constructor(
    readonly fault: ConnectionFault,
    message = SENTENCES[fault] ?? 'The search service answered with an error.',
  ) {
    super(message);
  }
}

export const noEngineAnswered = (): SearchFailure => new SearchFailure('http_error', NO_ENGINE);

/** The failure of a response that is not a success. */
export function failureOfStatus(service: SearchService, status: number): SearchFailure {
  if (service === 'searxng' && status === 403) return new SearchFailure('http_error', JSON_REFUSED);
  // Brave answers an unknown key with 422, Tavily a spent plan with 432 or 433.
  if (status === 401 || status === 403 || (service === 'brave' && status === 422)) {
    return new SearchFailure('unauthorized');
  }
  if (status === 402 || status === 432 || status === 433) return new SearchFailure('no_credit');
  if (status === 429) return new SearchFailure('rate_limited');
  if (status === 404) return new SearchFailure('not_found');
  return new SearchFailure('http_error', `The search service answered with status ${status}.`);
}

export function searchFailure(error: unknown): SearchFailure {
  if (error instanceof SearchFailure) return error;
  const { fault } = error instanceof OutboundFailure ? error : outboundFailure(error);
  return new SearchFailure(fault);
}
