import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Alert } from '@tanya/contract';
import { waitUntil } from '../harness/wait-until.js';

export interface Call {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  alert: Alert;
}

/** A server that receives alerts. It answers with the next of `statuses`, then with 200; 0 never answers. */
export class WebhookReceiver {
  readonly calls: Call[] = [];
  statuses: number[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        this.calls.push({ path: request.url!, headers: request.headers, raw, alert: JSON.parse(raw) as Alert });
        const status = this.statuses.shift() ?? 200;
        if (status !== 0) response.writeHead(status, { location: '/elsewhere' }).end('noted');
      });
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook/?token=a%2Fb`;
  }

  /** Waits for this many calls with alerts of a kind. */
  async callsOf(kind: Alert['kind'], count = 1): Promise<Call[]> {
    const found = () => this.calls.filter(({ alert }) => alert.kind === kind);
    await waitUntil(`${count} alerts of ${kind}`, () => found().length >= count);
    return found();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
