import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^Bearer ([\x21-\x7e]{1,200})$/i;

export const bearerOf = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  BEARER.exec(authorization)?.[1];

/** The bearer token, without one the key of `x-api-key`: a proxy may use another scheme of `Authorization`. */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization = '', 'x-api-key': apiKey } = headers;
  if (apiKey === undefined || /^Bearer( |$)/i.test(authorization)) return bearerOf(headers);
  return bearerOf({ authorization: `Bearer ${[apiKey].flat().join()}` });
}
