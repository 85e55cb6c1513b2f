import { jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { auditAdminCalls } from './audit.middleware.js';

const openResponse = () => {
  const socket = new Socket();
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  return { socket, response: response as Response };
};

const call = { path: '/api/admin/users', identity: { userId: 1, address: '203.0.113.7' } } as unknown as Request;

describe('auditAdminCalls', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it.each(['before the call', 'during the call'])('ends a call whose client left %s', async (moment) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const disable = jest.spyOn(AsyncLocalStorage.prototype, 'disable');
    const { socket, response } = openResponse();
    const leave = () => {
      socket.destroy();
      return once(response, 'close');
    };
    if (moment === 'before the call') await leave();
    const next = jest.fn();
    auditAdminCalls(call, response, next);
    if (moment === 'during the call') await leave();
    expect(next).toHaveBeenCalledTimes(1);
    // Its changes are still recorded for a while.
    await jest.advanceTimersByTimeAsync(60_000);
    expect(disable).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(disable).toHaveBeenCalledTimes(1);
  });
});
