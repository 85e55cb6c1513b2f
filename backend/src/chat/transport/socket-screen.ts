import { CLIENT_EVENTS } from '@tanya/contract';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { AppError } from '../../platform/errors/app-error.js';
import { toAppError, toErrorBody } from '../../platform/errors/error-body.js';
import { requestId } from '../../platform/observability/logging.js';
import { isAck } from '../../platform/sockets/socket-io.adapter.js';
import type { ChatSocket } from '../sockets/owner-sockets.js';
import { isFields } from '../../platform/json/fields.js';

/** Rate limit of one owner's events on this node: 50 a second on average, bursts of 200. Duration in seconds. */
const EVENT_LIMIT = { points: 200, duration: 4 };

/** Acknowledges with an error what no handler would answer: unknown events, malformed payloads, too many events. */
export class SocketScreen {
  private readonly limiter = new RateLimiterMemory(EVENT_LIMIT);

  attach(socket: ChatSocket): void {
    socket.use((packet, next) => this.check(socket, packet, next));
  }

  private check(socket: ChatSocket, packet: unknown[], next: () => void): void {
    const ack = packet.at(-1);
    const refuse = (error: AppError) => {
      if (isAck(ack)) ack({ ok: false, error: toErrorBody(error, requestId(undefined)) });
    };
    this.limiter.consume(socket.data.identity.owner).then(
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
}
