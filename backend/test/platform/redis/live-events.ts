import { setTimeout as sleep } from 'node:timers/promises';
import type { SocketClient } from '../../harness/socket-client.js';
import { waitUntil } from '../../harness/wait-until.js';

/** Pause before a send is repeated whose events did not all arrive, ms. */
const REPEAT_AFTER_MS = 2_000;

/**
 * Repeats sends until another page of the same owner, on another node, receives every event of an answer by itself. After
 * a failover a node needs a moment to subscribe again.
 */
export function becomesLive(near: SocketClient, far: SocketClient): Promise<void> {
  return waitUntil('events on the other node', async () => {
    const ack = await near.tryStart('live again');
    if (!ack.ok) return false;
    const shown = await near.ended(ack.data.generationId);
    const seen = far.answer(ack.data.generationId);
    await Promise.race([far.until(() => seen.closing !== null).catch(() => undefined), sleep(REPEAT_AFTER_MS)]);
    return seen.gaps === 0 && seen.events.length === shown.events.length;
  });
}
