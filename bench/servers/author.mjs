import { createServer } from 'node:http';
import { essay, essayInCode } from '../essay.mjs';

/**
 * A provider that writes Markdown. The newest message sets the answer, `start=10000 tokens=250 tps=50`: this many
 * characters at once, then tokens at this rate; `fence=4400` opens a code block at that position that never ends.
 */
const TOKEN_CHARACTERS = 5;

function asked({ messages }) {
  const content = messages.at(-1).content;
  const number = (name) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(content)?.[1] ?? 0);
  return { start: number('start'), tokens: number('tokens'), tps: number('tps'), fence: number('fence') };
}

function answer(request, response) {
  const { start, tokens, tps, fence } = asked(request);
  const length = start + tokens * TOKEN_CHARACTERS;
  const text = fence > 0 ? essayInCode(length, fence) : essay(length);
  const send = (delta, finish = null) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ content: text.slice(0, start) });
  const from = performance.now();
  let sent = 0;
  const clock = setInterval(() => {
    const due = Math.min(tokens, Math.floor(((performance.now() - from) * tps) / 1000));
    for (; sent < due; sent += 1) {
      const at = start + sent * TOKEN_CHARACTERS;
      send({ content: text.slice(at, at + TOKEN_CHARACTERS) });
    }
    if (sent < tokens) return;
    clearInterval(clock);
    send({}, 'stop');
    response.end('data: [DONE]\n\n');
  }, 2);
  response.on('close', () => clearInterval(clock));
}

createServer(async (request, response) => {
  let body = '';
  for await (const bytes of request) body += bytes;
  if (request.method === 'POST') answer(JSON.parse(body), response);
  else response.setHeader('content-type', 'application/json').end('{"data":[]}');
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
