import type { Redis } from 'ioredis';
import type { Tracing } from '../observability/tracing.js';
import type { RedisClient } from './redis-client.js';

/** Commands without a span: one for each piece of text that goes to other nodes. */
const BROADCASTS = new Set(['publish', 'spublish']);

export function traceCommands(redis: RedisClient, tracing: Tracing): void {
  if (!tracing.isOn) return;
  // A cluster has a further parameter, the node.
  const client = redis as Pick<Redis, 'sendCommand'>;
  const send = client.sendCommand.bind(redis);
  client.sendCommand = (command, ...more) => {
    if (!tracing.isRecording || BROADCASTS.has(command.name)) return send(command, ...more);
    let sent: unknown;
    const attributes = { 'db.system.name': 'redis', 'db.operation.name': command.name };
    const covered = tracing.span(`redis ${command.name}`, { kind: 'client', attributes }, () => {
      sent = send(command, ...more);
      return command.promise;
    });
    // The caller gets the rejection with its own promise.
    covered.catch(() => undefined);
    return sent;
  };
}
