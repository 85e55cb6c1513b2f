import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express, Request, Response } from 'express';
import { SharedClassAdapter } from './express-adapter.js';

it('creates requests and responses with the prototypes of Express', async () => {
  const adapter = new SharedClassAdapter();
  adapter.initHttpServer();
  const server = adapter.getHttpServer() as Server;
  const app = adapter.getInstance<Express>();
  const prototypes: unknown[] = [];
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
  });
  app.get(
    '/',
    (request: Request, response: Response) => void response.json({ host: request.hostname, app: request.app === app }),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const body: unknown = await answer.json();
  server.close();
  expect(body).toEqual({ host: '127.0.0.1', app: true });
  expect(prototypes[0]).toBe(app.request);
  expect(prototypes[1]).toBe(app.response);
});
