import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * Uploads from a separate process, so that request and response overlap as they do between two machines. Prints the
 * responses to `fetch` and to a client that reads only after it has written the whole request.
 */
const [url, cookie, address, megabytes] = process.argv.slice(2);
const { host, port, pathname } = new URL(url);
const headers = { Cookie: cookie, 'X-Forwarded-For': address };

async function fetched(form) {
  const response = await fetch(url, { method: 'POST', headers, body: form });
  return { status: response.status, body: await response.json() };
}

async function writtenFirst(form) {
  const request = new Request(url, { method: 'POST', body: form });
  const type = request.headers.get('content-type');
  const body = Buffer.from(await request.arrayBuffer());
  const lines = Object.entries({
    Host: host,
    ...headers,
    'Content-Type': type,
    'Content-Length': body.length,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await new Promise((resolve, reject) => socket.on('error', reject).write(body, resolve));
  const answer = (await buffer(socket)).toString();
  return { status: Number(answer.split(' ')[1]), body: JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) };
}

const form = new FormData();
form.append('file', new Blob([new Uint8Array(megabytes * 1024 * 1024).fill(120)], { type: 'text/plain' }), 'a.txt');
const answers = [];
for (const send of [fetched, writtenFirst]) {
  answers.push(await send(form).catch((error) => ({ failed: String(error.cause ?? error) })));
}
process.stdout.write(JSON.stringify(answers));
