import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  near: Socket;
  far: Socket;
}

/**
 * TCP proxy between clients and several servers that can be cut, held, slowed and closed. It balances connections round
 * robin and skips targets that refuse them.
 */
export class TcpProxy {
  private readonly pairs = new Set<Pair>();
  private readonly visitors = new Set<Socket>();
  private turn = 0;
  private refusing = false;
  private held = false;
  /** Bytes a second towards the client; null without a limit. */
  private rate: number | null = null;

  private constructor(
    private readonly server: Server,
    readonly port: number,
    public targets: () => number[],
  ) {
    server.on('connection', (near: Socket) => {
      this.visitors.add(near);
      near.once('close', () => this.visitors.delete(near));
      this.accept(near);
    });
  }

  static async open(targets: () => number[]): Promise<TcpProxy> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, (server.address() as AddressInfo).port, targets);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resets every connection and accepts new ones. */
  cut(): void {
    for (const { near, far } of this.pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  /** Resets every connection, and new ones until `restore`. */
  refuse(): void {
    this.refusing = true;
    this.cut();
  }

  /** Keeps connections open without forwarding until `restore`. */
  hold(): void {
    this.held = true;
    for (const pair of this.pairs) this.flow(pair);
  }

  /** Limits the rate towards the client to bytes a second until `restore`. */
  slow(rate: number): void {
    this.rate = rate;
    for (const pair of this.pairs) this.flow(pair);
  }

  restore(): void {
    this.refusing = false;
    this.held = false;
    this.rate = null;
    for (const pair of this.pairs) this.flow(pair);
  }

  async close(): Promise<void> {
    this.refuse();
    for (const visitor of this.visitors) visitor.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(near: Socket): void {
    near.on('error', () => undefined);
    if (this.refusing) return void near.resetAndDestroy();
    const targets = this.targets();
    this.turn += 1;
    this.reach(
      near,
      targets.map((_, index) => targets[(this.turn + index) % targets.length]!),
    );
  }

  private reach(near: Socket, targets: number[]): void {
    const [port, ...others] = targets;
    if (port === undefined || near.destroyed) return void near.resetAndDestroy();
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    const refused = () => this.reach(near, others);
    far.once('error', refused);
    far.once('connect', () => {
      far.off('error', refused);
      this.join({ near, far });
    });
  }

  private join(pair: Pair): void {
    const { near, far } = pair;
    this.pairs.add(pair);
    const end = () => {
      this.pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    near.on('data', (chunk) => far.write(chunk) || near.pause());
    far.on('drain', () => this.held || near.resume());
    far.on('data', (chunk) => {
      if (near.write(chunk) && this.rate === null) return;
      far.pause();
      if (this.rate !== null) setTimeout(() => this.flow(pair), (chunk.length / this.rate) * 1000).unref();
    });
    near.on('drain', () => this.rate === null && this.flow(pair));
    for (const socket of [near, far]) socket.on('error', end).on('close', end).on('end', end);
    if (near.destroyed || far.destroyed) end();
    else this.flow(pair);
  }

  private flow({ near, far }: Pair): void {
    for (const socket of [near, far]) {
      if (this.held) socket.pause();
      else socket.resume();
    }
  }
}
