import type { IncomingMessage } from 'node:http';
import { isPrivateHost } from './address-ranges.js';
import type { Logger } from '../observability/logging.js';

/**
 * Detects a reverse proxy that TRUST_PROXY does not name. A forwarded header alone proves nothing: every client can
 * send one. With a loopback or private peer address it most likely comes from a proxy.
 */
export class ProxyWatch {
  /** True once a proxy was detected: limits then count the proxy's address for all clients. */
  hasUndeclaredProxy = false;

  constructor(
    private readonly trustsProxy: boolean,
    private readonly logger: Logger,
  ) {}

  notice(request: IncomingMessage): void {
    if (this.hasUndeclaredProxy || this.trustsProxy || request.headers['x-forwarded-for'] === undefined) return;
    const address = request.socket.remoteAddress;
    if (address === undefined || !isPrivateHost(address)) return;
    this.hasUndeclaredProxy = true;
    this.logger.warn('TRUST_PROXY is not set behind a proxy; limits count the address of the proxy');
  }
}
