import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface S3Server {
  url: string;
  /** Stored objects, keyed by `bucket/key`. */
  objects: Map<string, { bytes: Buffer; modifiedAt: Date }>;
  /** Whether every call fails. */
  isAway: boolean;
  /** Whether calls get no answer. */
  isSilent: boolean;
  close(): Promise<void>;
}

/** Fake of the S3 calls that the file store makes. Listings have two keys a page, so that paging is covered. */
export async function startS3(): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map();
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (s3.isSilent) return;
    if (s3.isAway) return void response.writeHead(503).end();
    const url = new URL(request.url ?? '/', 'http://s3');
    const path = decodeURIComponent(url.pathname.slice(1));
    if (request.method === 'PUT') {
      objects.set(path, { bytes: await buffer(request), modifiedAt: new Date() });
      response.end();
    } else if (request.method === 'DELETE') {
      objects.delete(path);
      response.writeHead(204).end();
    } else if (url.searchParams.get('list-type') === '2') {
      response.setHeader('Content-Type', 'application/xml');
      response.end(listing(path.replace(/\/$/, ''), url.searchParams));
    } else {
      const found = objects.get(path);
      if (found) answerObject(found.bytes, request.headers.range, response);
      else response.writeHead(404, { 'Content-Type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>');
    }
  }

  function answerObject(bytes: Buffer, range: string | undefined, response: ServerResponse): void {
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    if (start === undefined) response.end(bytes);
    else response.writeHead(206).end(bytes.subarray(Number(start), Number(end) + 1));
  }

  function listing(bucket: string, query: URLSearchParams): string {
    const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
    const paths = [...objects.keys()].filter((path) => path.startsWith(prefix)).sort();
    const start = Number(query.get('continuation-token') ?? 0);
    const items = paths.slice(start, start + 2).map((path) => {
      const modified = objects.get(path)!.modifiedAt.toISOString();
      return `<Contents><Key>${path.slice(bucket.length + 1)}</Key><LastModified>${modified}</LastModified></Contents>`;
    });
    const next = start + 2 < paths.length ? `<NextContinuationToken>${start + 2}</NextContinuationToken>` : '';
    return `<ListBucketResult>${items.join('')}<IsTruncated>${next !== ''}</IsTruncated>${next}</ListBucketResult>`;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const s3: S3Server = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    isAway: false,
    isSilent: false,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return s3;
}
