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
 * Where a redirect leads that keeps the method and the origin: servers in Python send `/mcp` to `/mcp/`. Another origin would
 * get the headers of this one.
 */
function movedTo({ statusCode, headers }: Answer, from: URL): URL | null {
  if (statusCode !== 307 && statusCode !== 308) return null;
  const { location } = headers;
  const target = typeof location === 'string' && URL.canParse(location, from.href) ? new URL(location, from) : null;
  return target?.origin === from.origin && target.href !== from.href ? target : null;
}
