import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Adaptation, type Body, changeMessages, hasTools, listOf, type Refusal } from './adaptation.js';
import { PlainSchemas } from './plain-schema.js';
import { WITHOUT_FORBIDDEN_TOOLS } from './refused-fields.js';
import { isFields, type Fields } from '../../../platform/json/fields.js';

const wordsOf = ({ param = '', message = '' }: Refusal): string => `${param} ${message}`;

const SCHEMA_REFUSED = [
  // OpenAI, and Azure: one list without `items` among the tools refuses the request.
  /invalid schema for function/i,
  // Gemini.
  /function_?declarations?\b.{0,40}\b(parameters|schema)/i,
  // Anthropic and Bedrock.
  /\btools?\b.{0,40}\binput_?schema\b/i,
  // Moonshot, and Groq with an index.
  /tools?(\[\d+\])?\.function\.parameters/i,
  /flavou?red json schema/i,
  // llama.cpp, LM Studio, Ollama and Cerebras, which make a grammar of all tools.
  /failed to (parse|compile)\b.{0,20}\bgrammar|json schema conversion failed|unrecognized schema/i,
  // Fireworks.
  /json schema not supported/i,
];

/** An exact schema belongs to the asker: without its words the arguments would not follow it. */
function plainTool(tool: Fields, schemas: PlainSchemas): Fields {
  const called = tool['function'];
  if (!isFields(called) || called['strict'] === true || !isFields(called['parameters'])) return tool;
  const parameters = schemas.plain(called['parameters']);
  return isDeepStrictEqual(parameters, called['parameters']) ? tool : { ...tool, function: { ...called, parameters } };
}

function plainTools(tools: readonly unknown[]): unknown[] {
  const schemas = new PlainSchemas();
  return tools.map((tool) => plainTool(tool as Fields, schemas));
}

/** `tool_calls[0].id`, `tool_call_id`, `tool_use.id` and the words of Mistral, with what the id has to be. */
const ID_REFUSED = /\btool[ _](call|use)s?[\w.[\]]*?[ _.]?id\b.{0,120}\b(length|long|pattern)\b/i;

/** Letters and digits, as many as Mistral demands. */
const EVERYWHERE = /^[A-Za-z0-9]{9}$/;

const shortId = (id: unknown): unknown =>
  typeof id !== 'string' || EVERYWHERE.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);

const hasOtherIds = (body: Body): boolean =>
  listOf(body['messages']).some(({ tool_calls }) => listOf(tool_calls).some(({ id }) => shortId(id) !== id));

const withShortIds = (message: Fields): Fields => ({
  ...message,
  ...(Array.isArray(message['tool_calls']) && {
    tool_calls: listOf(message['tool_calls']).map((call) => ({ ...call, id: shortId(call['id']) })),
  }),
  ...('tool_call_id' in message && { tool_call_id: shortId(message['tool_call_id']) }),
});

/** What Google documents for calls that its model did not write. */
const UNSIGNED = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** Gemini signs the first call of a message alone. */
const isUnsigned = ({ tool_calls }: Fields): boolean => {
  const calls = listOf(tool_calls);
  return calls.length > 0 && calls.every((call) => call['extra_content'] === undefined);
};

const signed = (message: Fields): Fields => {
  if (!isUnsigned(message)) return message;
  const [first, ...others] = listOf(message['tool_calls']);
  return { ...message, tool_calls: [{ ...first, extra_content: UNSIGNED }, ...others] };
};

/** OpenAI's chat completions, of models from GPT-5.4 on, some of which reason unless they are told not to. */
const EFFORT_REFUSED = /\btools\b.{0,40}\breasoning_effort\b.{0,40}\bnot supported/i;

/** Anthropic, Bedrock and LiteLLM, of a conversation with calls whose tools are not offered any more. */
const TOOLS_DEMANDED =
  /\btools=|\btoolConfig\b.{0,40}\bmust be defined|\btool_(use|result)\b.{0,60}\bmust define tools/i;

function calledTools(body: Body): Fields[] {
  const names = new Set<string>();
  for (const { tool_calls: calls } of listOf(body['messages']))
    for (const { function: called } of listOf(calls))
      if (isFields(called) && typeof called['name'] === 'string') names.add(called['name']);
  const parameters = { type: 'object', properties: {} };
  return [...names].map((name) => ({ type: 'function', function: { name, parameters } }));
}

/** What servers demand of tools and of the calls in a conversation. */
export const TOOL_ADAPTATIONS: readonly Adaptation[] = [
  {
    name: 'schemas',
    isNamed: (refusal, body) =>
      Array.isArray(body['tools']) &&
      SCHEMA_REFUSED.some((refused) => refused.test(wordsOf(refusal))) &&
      plainTools(body['tools']).some((tool, at) => tool !== (body['tools'] as unknown[])[at]),
    apply: (body) => (Array.isArray(body['tools']) ? { ...body, tools: plainTools(body['tools']) } : body),
  },
  {
    name: 'call_ids',
    isNamed: (refusal, body) => ID_REFUSED.test(wordsOf(refusal)) && hasOtherIds(body),
    apply: changeMessages(withShortIds),
  },
  {
    name: 'signatures',
    isNamed: (refusal, body) =>
      /thought_?signature/i.test(wordsOf(refusal)) && listOf(body['messages']).some(isUnsigned),
    apply: changeMessages(signed),
  },
  {
    name: 'reasoning_effort',
    isNamed: (refusal, body) =>
      EFFORT_REFUSED.test(wordsOf(refusal)) && hasTools(body) && body['reasoning_effort'] !== 'none',
    apply: (body) => (hasTools(body) ? { ...body, reasoning_effort: 'none' } : body),
  },
  {
    name: 'tools',
    isNamed: (refusal, body) =>
      TOOLS_DEMANDED.test(wordsOf(refusal)) && !hasTools(body) && calledTools(body).length > 0,
    apply: (body, changed) => {
      const tools = hasTools(body) ? [] : calledTools(body);
      if (tools.length === 0) return body;
      // Bedrock demands the tools and does not know the choice.
      return { ...body, tools, ...(!changed.has(WITHOUT_FORBIDDEN_TOOLS) && { tool_choice: 'none' }) };
    },
  },
];
