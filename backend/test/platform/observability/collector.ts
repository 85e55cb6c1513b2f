import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Record<string, unknown>;
  events: string[];
  isFailed: boolean;
  /** The node that exported it. */
  node: unknown;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
  events: { name: string }[];
  status: { code: number };
}

interface Export {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: ExportedSpan[] }[] }[];
}

const FAILED = 2;

const fieldsOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** Everything received, for searches of text that must not be exported. */
  text: string;
  headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

/**
 * Starts a stub of an OpenTelemetry collector: OTLP over HTTP with JSON.
 * @param respond replaces the response, for collectors that fail or hang
 */
export async function startCollector(respond?: (response: ServerResponse) => void): Promise<Collector> {
  const server = createServer((request, response) => {
    void receive(request).then((body) => {
      collector.headers.push(request.headers);
      collector.text += body;
      if (request.url === '/v1/traces') collector.spans.push(...spansIn(JSON.parse(body) as Export));
      if (respond !== undefined) respond(response);
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    text: '',
    headers: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return collector;
}

async function receive(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const spansIn = ({ resourceSpans }: Export): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, events, status, ...span }) => ({
        ...span,
        attributes: fieldsOf(attributes),
        events: events.map(({ name }) => name),
        isFailed: status.code === FAILED,
        node: fieldsOf(resource.attributes)['service.instance.id'],
      })),
    ),
  );
