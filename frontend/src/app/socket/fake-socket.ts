import { create } from 'zustand';

/**
 * Replaces `socket.ts` in tests: a connection without events, whose requests get no ack. Use:
 * `jest.unstable_mockModule('…/app/socket/socket', () => import('…/app/socket/fake-socket'))`.
 */
export const useConnection = create(() => ({ status: 'connected' }));

export const requests: { event: string; payload: object }[] = [];

export function request(event: string, payload: object): Promise<never> {
  requests.push({ event, payload });
  return new Promise(() => undefined);
}

const stop = () => undefined;

export const onEvent = () => stop;
export const onConnected = () => stop;
export const reconnectSoon = stop;
export const replayEvent = stop;
