import http from 'node:http';

/** The floor: forwards the provider's bytes over node:http without parsing or storing them. */
const upstream = new URL(process.env.UPSTREAM);
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity, noDelay: true });

const server = http.createServer((request, response) => {
  const onward = http.request(
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
