import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const COMMIT = /COMMIT/;

/** A Postgres behind a network that can break in the worst moment: when a commit is done and nobody has been told. */
export class LostCommitProxy {
  /** Commits whose answers were lost so far. */
  eaten = 0;
  private pending = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => this.relay(client));
  }

  static async before(databaseUrl: string): Promise<LostCommitProxy> {
    const server = createServer();
    const eater = new LostCommitProxy(server, new URL(databaseUrl));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return eater;
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** The next commit reaches Postgres; its answer does not come back. */
  eatNext(): void {
    this.pending += 1;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private relay(client: Socket): void {
    const upstream = createConnection({ host: this.target.hostname, port: Number(this.target.port) });
    let isEating = false;
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
      if (this.pending > 0 && COMMIT.test(bytes.toString('latin1'))) {
        this.pending -= 1;
        isEating = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!isEating) return void client.write(bytes);
      this.eaten += 1;
      client.destroy();
    });
  }
}
