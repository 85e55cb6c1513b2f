import http from 'node:http';
import https from 'node:https';

/** The floor: forwards the provider's bytes over node:http or node:https without parsing or storing them. */
const upstream = new URL(process.env.UPSTREAM);
const { Agent, request: send } = upstream.protocol === 'https:' ? https : http;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, noDelay: true });

const server = http.createServer((request, response) => {
  const onward = send(
    {
      agent,
      host: upstream.hostname,
      port: upstream.port,
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json', 'content-length': request.headers['content-length'] },
    },
    (answer) => {
      response.writeHead(answer.statusCode, { 'content-type': answer.headers['content-type'] });
      answer.on('data', (bytes) => response.write(bytes));
      answer.on('end', () => response.end());
    },
  );
  onward.on('error', () => response.destroy());
  response.on('close', () => response.writableFinished || onward.destroy());
  request.pipe(onward);
});

server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
