import type { IncomingMessage } from 'node:http';
import { isPrivateHost } from './origin.js';
import type { Logger } from '../observability/logging.js';

/**
 * Notices that a proxy stands in front while TRUST_PROXY does not say so. A forwarded header alone proves nothing, as
 * anybody can send one; from a private address it most likely is a proxy's.
 */
export class ProxyWatch {
  /** Whether every client looks like the proxy. */
  isBlind = false;

  constructor(
    private readonly trustsProxy: boolean,
    private readonly logger: Logger,
  ) {}

  notice(request: IncomingMessage): void {
    if (this.isBlind || this.trustsProxy || request.headers['x-forwarded-for'] === undefined) return;
    const address = request.socket.remoteAddress?.replace(/^::ffff:/i, '');
    if (address === undefined || !isPrivateHost(address)) return;
    this.isBlind = true;
    this.logger.warn("requests come through a proxy: set TRUST_PROXY, else limits count the proxy's address");
  }
}
