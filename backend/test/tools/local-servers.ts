import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** HTTP servers of one test file on this machine. */
export class LocalServers {
  private readonly servers: Server[] = [];

  /** Starts a server. @returns its port */
  async serve(listener: RequestListener): Promise<number> {
    const server = createServer(listener);
    this.servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  close(): void {
    for (const server of this.servers) {
      server.close();
      (server as ReturnType<typeof createServer>).closeAllConnections();
    }
  }
}
