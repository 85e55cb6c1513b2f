import { type Dispatcher, request } from 'undici';

type Answer = Dispatcher.ResponseData;

/** Redirects of one request that are followed. */
const MOST_MOVES = 2;

/** Bytes of the body of a redirect that are read, so that its connection can be used again. */
const UNREAD_BYTES = 64 * 1024;

/** Sends a request, and once more where its server has moved it within its origin. */
export async function requestMoved(
  url: string | URL,
  options: Pick<Dispatcher.RequestOptions<null>, 'body' | 'signal'> & {
    method: Dispatcher.HttpMethod;
    headers: Record<string, string>;
    dispatcher: Dispatcher;
  },
): Promise<Answer> {
  let target = new URL(url);
  for (let moves = 0; ; moves += 1) {
    const response = await request(target, options);
    const moved = moves < MOST_MOVES ? movedTo(response, target) : null;
    if (moved === null) return response;
    response.body.on('error', () => undefined);
    await response.body.dump({ limit: UNREAD_BYTES }).catch(() => undefined);
    target = moved;
  }
}

/**
 * Where a redirect leads that keeps the method and the origin: servers in Python send `/mcp` to `/mcp/`, nginx does with 301.
 * Another origin would get the headers of this one. Behind a proxy with TLS a server names itself without it: its path counts.
 */
export function movedTo({ statusCode, headers }: Pick<Answer, 'statusCode' | 'headers'>, from: URL): URL | null {
  const { location } = headers;
  if (typeof location !== 'string' || !URL.canParse(location, from.href)) return null;
  const { protocol, hostname, origin, pathname, search } = new URL(location, from);
  const isWithoutTls = from.protocol === 'https:' && protocol === 'http:' && hostname === from.hostname;
  if (origin !== from.origin && !isWithoutTls) return null;
  const target = new URL(from);
  target.pathname = pathname;
  target.search = search;
  const keepsMethod = statusCode === 307 || statusCode === 308;
  if (!keepsMethod && !(statusCode === 301 && differsBySlash(target, from))) return null;
  return target.href !== from.href ? target : null;
}

const differsBySlash = (one: URL, other: URL): boolean =>
  one.search === other.search && (one.pathname === `${other.pathname}/` || other.pathname === `${one.pathname}/`);
