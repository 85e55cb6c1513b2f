import { type Fields, isFields } from '../../../platform/json/fields.js';
import { type Adaptation, type Body, changeMessages, hasTools, listOf, OF_VALUE, type Refusal } from './adaptation.js';

/** The words of a refusal, which name fields. */
const wordsOf = ({ param = '', message = '' }: Refusal): Set<string> => new Set(`${param} ${message}`.match(/\w+/g));

const without = (body: Body, field: string): Record<string, unknown> => {
  const { [field]: _, ...others } = body;
  return others;
};

/**
 * A field without which the answer is the same. Some servers name it in words, such as "stream options".
 * @param aliases what it has within it, or is called behind a gateway
 */
const leftOut = (field: string, ...aliases: string[]): Adaptation => ({
  name: field,
  isNamed: (refusal, body) =>
    field in body &&
    ([field, ...aliases].some((name) => wordsOf(refusal).has(name)) ||
      (refusal.message ?? '').toLowerCase().includes(field.replaceAll('_', ' '))),
  apply: (body) => without(body, field),
});

/** A field that some servers know under another name. */
const renamed = (field: string, otherName: string): Adaptation => ({
  name: field,
  isNamed: (refusal, body, changed) =>
    field in body && !changed.has(otherName) && wordsOf(refusal).has(field) && !OF_VALUE.test(refusal.message ?? ''),
  apply: (body) => (field in body ? { ...without(body, field), [otherName]: body[field] } : body),
});

const DETAIL = 'detail';

const hasDetail = (part: Fields): part is { image_url: Fields } =>
  isFields(part['image_url']) && DETAIL in part['image_url'];

function withoutDetail(message: Fields): Fields {
  const parts = listOf(message['content']);
  if (!parts.some(hasDetail)) return message;
  const content = parts.map((part) =>
    hasDetail(part) ? { ...part, image_url: without(part.image_url, DETAIL) } : part,
  );
  return { ...message, content };
}

/** How closely a model looks at pictures: servers have it in some of its values, or not at all. */
const detailLeftOut: Adaptation = {
  name: DETAIL,
  isNamed: (refusal, body) =>
    wordsOf(refusal).has(DETAIL) && listOf(body['messages']).some(({ content }) => listOf(content).some(hasDetail)),
  apply: changeMessages(withoutDetail),
};

/** Stream options are another field. */
const STREAM_REFUSED = [
  // OpenAI, of an organization that is not verified.
  /\bverified to stream\b/i,
  /['"`]stream['"`] does not support\b/i,
  /\bstream(ing)?( mode| option| responses?)?\b(?! options).{0,20}\b(not supported|unsupported|not (yet )?(available|implemented|enabled))/i,
  /\b(does not|doesn't|do not|cannot) (support )?stream(ing|s)?\b(?! options)/i,
  /\bset [`'"]?stream[`'"]? (to|=) ?false\b/i,
];

/** Bedrock, SambaNova and llama.cpp: "tool use in streaming mode", "function calling with streaming", "tools with stream". */
const TOOLS_IN_STREAM = /\b(tools?|functions?)\b.{0,60}\b(with|in|while|when|during)\b.{0,20}\bstream/i;
const NEGATIVE = /\bnot\b|n['’]t\b|\bcannot\b|\bunsupported\b/i;

function refusesStream({ param, message = '' }: Refusal, body: Body): boolean {
  if (body['stream'] !== true) return false;
  if (param === 'stream' || STREAM_REFUSED.some((refused) => refused.test(message))) return true;
  return hasTools(body) && TOOLS_IN_STREAM.test(message) && NEGATIVE.test(message);
}

const inOnePiece = (body: Body): Body => ({ ...without(body, 'stream_options'), stream: false });

/** An answer in one piece is the same answer, later. */
const streamLeftOut: Adaptation = {
  name: 'stream',
  isCostly: true,
  isNamed: (refusal, body) => refusesStream(refusal, body) && !hasTools(body),
  apply: inOnePiece,
};

/** Most servers that refuse a stream beside tools have one without them. Those without any refuse that too, once. */
const streamLeftOutBesideTools: Adaptation = {
  name: 'stream_with_tools',
  isCostly: true,
  isNamed: (refusal, body) => refusesStream(refusal, body) && hasTools(body),
  apply: (body) => (hasTools(body) ? inOnePiece(body) : body),
};

const CHOICE = 'tool_choice';

const isDefaultChoice = (body: Body): boolean => body[CHOICE] === 'auto';

/** The default beside tools, which clients send: DeepSeek takes no choice while it thinks. */
const defaultChoiceLeftOut: Adaptation = {
  name: CHOICE,
  isNamed: (refusal, body) => isDefaultChoice(body) && wordsOf(refusal).has(CHOICE),
  apply: (body) => (isDefaultChoice(body) ? without(body, CHOICE) : body),
};

/** Another change, which offers the tools of earlier calls, does not forbid them either then. */
export const WITHOUT_FORBIDDEN_TOOLS = 'tool_choice_none';

const forbidsCalls = (body: Body): boolean => hasTools(body) && body[CHOICE] === 'none';

/** Without tools there are no calls either: Bedrock does not know the choice, Groq fails when the model calls one all the same. */
const forbiddenToolsLeftOut: Adaptation = {
  name: WITHOUT_FORBIDDEN_TOOLS,
  isNamed: (refusal, body) => forbidsCalls(body) && /\btool_?[ ]?choice\b/i.test(`${refusal.param} ${refusal.message}`),
  apply: (body) => (forbidsCalls(body) ? ['tools', CHOICE, 'parallel_tool_calls'].reduce(without, body) : body),
};

export const FIELD_ADAPTATIONS: readonly Adaptation[] = [
  streamLeftOut,
  streamLeftOutBesideTools,
  leftOut('stream_options', 'include_usage', 'streamOptions'),
  leftOut('parallel_tool_calls', 'parallelToolCalls', 'disable_parallel_tool_use'),
  leftOut('encoding_format'),
  defaultChoiceLeftOut,
  forbiddenToolsLeftOut,
  detailLeftOut,
  renamed('max_tokens', 'max_completion_tokens'),
  renamed('max_completion_tokens', 'max_tokens'),
];
