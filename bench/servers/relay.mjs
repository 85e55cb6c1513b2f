import { createServer } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { Server } from 'socket.io';
import { Pool } from 'undici';

/** A bare Socket.IO relay: one event per delta, without authentication, quotas or storage. */
const pool = new Pool(process.env.UPSTREAM, { connections: 20_000, pipelining: 1, bodyTimeout: 0 });

async function answer(socket, { content }) {
  const { body } = await pool.request({
    path: '/v1/chat/completions',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: content.text }] }),
  });
  const bytes = new StringDecoder('utf8');
  let seq = 0;
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') return;
      const text = JSON.parse(data).choices[0]?.delta?.content;
      if (text) socket.emit('generation:event', { seq: (seq += 1), type: 'text-delta', text });
    },
  });
  body.on('data', (chunk) => parser.feed(bytes.write(chunk)));
  body.on('end', () => socket.emit('generation:event', { seq: (seq += 1), message: {}, type: 'end' }));
  body.on('error', () => undefined);
}

const http = createServer();
const io = new Server(http, { serveClient: false, transports: ['websocket'], perMessageDeflate: false });
io.on('connection', (socket) => {
  socket.conn.transport.socket._socket.setNoDelay(true);
  socket.on('generation:start', (payload, ack) => {
    ack({ ok: true });
    void answer(socket, payload);
  });
});
http.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
