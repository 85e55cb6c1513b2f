import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { Express, Request, Response } from 'express';
import { ExpressAdapter } from '@nestjs/platform-express';
import { SharedClassAdapter } from './shared-classes.js';

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

it('answers with the bytes of the plain adapter', async () => {
  const answers: string[] = [];
  for (const adapter of [new ExpressAdapter(), new SharedClassAdapter()]) {
    adapter.initHttpServer({});
    const server = adapter.getHttpServer() as Server;
    adapter.getInstance<Express>().all('/:name', (request: Request, response: Response) => {
      response.setHeader('Date', 'none');
      response.cookie('a', 'b');
      response.status(201).json({ name: request.params.name, query: request.query, type: request.get('x-type') });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    socket.write('GET /x?y=1 HTTP/1.1\r\nHost: a\r\nX-Type: t\r\nConnection: close\r\n\r\n');
    answers.push(await textOf(socket));
    server.close();
  }
  expect(answers[1]).toContain('"name":"x"');
  expect(answers[1]).toBe(answers[0]);
});
