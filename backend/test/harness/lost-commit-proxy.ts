import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * Proxy in front of Postgres that can lose the response to a statement that commits: its changes are durable, its client
 * sees a reset.
 */
export class LostCommitProxy {
  /** Number of statements whose response was dropped. */
  dropped = 0;
  private pending: string | null = null;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => this.relay(client));
  }

  static async inFrontOf(databaseUrl: string): Promise<LostCommitProxy> {
    const server = createServer();
    const proxy = new LostCommitProxy(server, new URL(databaseUrl));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Forwards the next statement with this name, text or parameter and drops the connection in place of its response. */
  dropNext(mark: string): void {
    this.pending = mark;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private relay(client: Socket): void {
    const upstream = createConnection({ host: this.target.hostname, port: Number(this.target.port) });
    let isDropping = false;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (this.pending !== null && bytes.includes(this.pending)) {
        this.pending = null;
        isDropping = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!isDropping) return void client.write(bytes);
      this.dropped += 1;
      client.destroy();
    });
  }
}
