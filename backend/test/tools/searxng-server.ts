import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { LocalServers } from './local-servers.js';

export interface SearxngServer {
  /** Base URL. */
  url: string;
  /** Queries in the order of their arrival. */
  queries: string[];
  /** Answers the next request in place of the results. */
  next(listener: RequestListener): void;
  close(): void;
}

/** A stand-in for SearXNG with the format json: each query has twelve results, of which one repeats and one is invalid. */
export async function startSearxng(): Promise<SearxngServer> {
  const servers = new LocalServers();
  const queries: string[] = [];
  const scripted: RequestListener[] = [];
  const port = await servers.serve((request, response) => {
    const url = new URL(request.url ?? '/', 'http://searxng.invalid');
    queries.push(url.searchParams.get('q') ?? '');
    const listener = scripted.shift() ?? answer;
    listener(request, response);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    queries,
    next: (listener) => void scripted.push(listener),
    close: () => servers.close(),
  };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://searxng.invalid');
  const query = searchParams.get('q') ?? '';
  if (pathname !== '/search' || searchParams.get('format') !== 'json') return void response.writeHead(404).end();
  const result = (number: number) => ({
    url: `https://result-${number}.example/${encodeURIComponent(query)}`,
    title: `Result <b>${number}</b> for ${query}`,
    content: `Excerpt ${number} &amp; more`,
    engine: 'stand-in',
  });
  const results = [result(1), { url: 'javascript:alert(1)', title: 'invalid' }, result(1)];
  for (let number = 2; number <= 10; number++) results.push(result(number));
  json(response, { query, number_of_results: results.length, results, unresponsive_engines: [] });
}

/** Answers with JSON. */
export function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
