import { createServer } from 'node:http';

/** An OpenAI-compatible provider of embeddings that answers each text with one vector of 1,536 numbers, prepared before. */
const DIMENSIONS = 1_536;

const vector = Array.from({ length: DIMENSIONS }, (_, index) => Math.sin(index + 1) / 32);
const forms = { float: vector, base64: Buffer.from(new Float32Array(vector).buffer).toString('base64') };

const prepared = new Map();

function answerTo({ input, encoding_format: format = 'float' }) {
  const key = `${format} ${input.length}`;
  if (!prepared.has(key)) {
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding: forms[format] }));
    const usage = { prompt_tokens: 100 * input.length, total_tokens: 100 * input.length };
    prepared.set(key, Buffer.from(JSON.stringify({ object: 'list', data, model: 'bench-embedding', usage })));
  }
  return prepared.get(key);
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const isCall = request.method === 'POST';
    const body = isCall ? answerTo(JSON.parse(Buffer.concat(parts).toString())) : '{"data":[]}';
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
});

server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
