import { once } from 'node:events';
import { createServer } from 'node:http';

const TOOL = 'bench_lookup';

/** The model's first step calls the tool, its second one ends the answer. */
const CALL = { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: TOOL, arguments: '{}' } }] };
const STEPS = {
  call: [
    { delta: CALL, finish_reason: null },
    { delta: {}, finish_reason: 'tool_calls' },
  ],
  text: [
    { delta: { content: 'done' }, finish_reason: null },
    { delta: {}, finish_reason: 'stop' },
  ],
};

/**
 * Starts a provider and an MCP server in this process. They record the times of one call at a time, by performance.now():
 * when the model has called, when the call arrives, when it is answered, and when the model gets the result.
 */
export async function startToolProvider() {
  const times = {};
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (bytes) => (text += bytes));
    request.on('end', () => {
      const body = text === '' ? {} : JSON.parse(text);
      if (request.url === '/mcp') return answerMcp(request, response, body, times);
      if (request.url.endsWith('/chat/completions')) return answerChat(response, body, times);
      return sendJson(response, { data: [] });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    mcpUrl: `${url}/mcp`,
    tool: TOOL,
    times,
    end: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerChat(response, { messages, tools }, times) {
  const hasResult = messages.some(({ role }) => role === 'tool');
  if (hasResult) times.resultArrived ??= performance.now();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const choice of tools && !hasResult ? STEPS.call : STEPS.text) {
    const chunk = { id: 'bench', object: 'chat.completion.chunk', created: 1, model: 'bench' };
    response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`);
  }
  response.end('data: [DONE]\n\n');
  if (tools && !hasResult) times.called = performance.now();
}

function answerMcp(request, response, { id, method }, times) {
  const reply = (result) => sendJson(response, { jsonrpc: '2.0', id, result });
  if (method === 'initialize') {
    response.setHeader('mcp-session-id', crypto.randomUUID());
    const serverInfo = { name: 'bench', version: '1' };
    return reply({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo });
  }
  if (id === undefined) return response.writeHead(202).end();
  if (method === 'tools/list') return reply({ tools: [{ name: 'lookup', inputSchema: { type: 'object' } }] });
  times.callArrived = performance.now();
  reply({ content: [{ type: 'text', text: 'found' }] });
  times.answered = performance.now();
}

function sendJson(response, value) {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}
