import { CLIENT_EVENTS } from '@tanya/contract';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { AppError } from '../../platform/errors/app-error.js';
import { toAppError, toErrorBody } from '../../platform/errors/error-body.js';
import { requestId } from '../../platform/observability/logging.js';
import { isAck } from '../../platform/sockets/socket-io.adapter.js';
import type { ChatSocket } from '../sockets/owner-sockets.js';
import type { Identity } from '../../identity/identity.js';
import { isFields } from '../../platform/json/fields.js';
import { siteOf } from '../../platform/net/client-address.js';
import { isLoopback } from '../../platform/net/count-by-address.js';

/** Rate limit of one owner's events on this node: 50 a second on average, bursts of 200. Duration in seconds. */
const EVENT_LIMIT = { points: 200, duration: 4 };

/** That of all guests of one address, where each new cookie makes a new owner, and of one IPv6 site. */
const GUESTS_LIMIT = { points: 800, duration: 4 };
const SITE_LIMIT = { points: 3_200, duration: 4 };

/** Acknowledges with an error what no handler would answer: unknown events, malformed payloads, too many events. */
export class SocketScreen {
  private readonly owners = new RateLimiterMemory(EVENT_LIMIT);
  private readonly guests = new RateLimiterMemory(GUESTS_LIMIT);
  private readonly sites = new RateLimiterMemory(SITE_LIMIT);

  attach(socket: ChatSocket): void {
    socket.use((packet, next) => this.check(socket, packet, next));
  }

  private check(socket: ChatSocket, packet: unknown[], next: () => void): void {
    const ack = packet.at(-1);
    const refuse = (error: AppError) => {
      if (isAck(ack)) ack({ ok: false, error: toErrorBody(error, requestId(undefined)) });
    };
    this.count(socket.data.identity).then(
      () => {
        const [name, payload] = packet;
        // The decoder has refused it.
        if (name instanceof Error) refuse(toAppError(name));
        else if (typeof name !== 'string' || !Object.hasOwn(CLIENT_EVENTS, name)) {
          refuse(new AppError('invalid', { reason: 'event' }));
        } else if (isFields(payload) && packet.length <= 3) next();
        else refuse(new AppError('invalid'));
      },
      () => refuse(new AppError('rate_limited', { retryAfter: 1 })),
    );
  }

  /** Loopback addresses are exempt: behind a local proxy that TRUST_PROXY does not name, every guest has one. */
  private async count({ owner, userId, address }: Identity): Promise<void> {
    await this.owners.consume(owner);
    if (userId !== null || isLoopback(address)) return;
    await this.guests.consume(address);
    const site = siteOf(address);
    if (site !== null) await this.sites.consume(site);
  }
}
