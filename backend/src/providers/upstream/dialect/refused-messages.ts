import type { Adaptation, Body, Refusal } from './adaptation.js';

type Message = Readonly<Record<string, unknown>>;
type Content = string | readonly unknown[];

/** Stands where a server demands a message that the conversation does not have. */
const FILLER = '…';

const SYSTEM_REFUSED = [
  // Gemma, Mistral 7B and their kin, by vLLM, llama.cpp and LM Studio.
  /system (role|message|prompt|instruction)s?\b.{0,40}\b(unsupported|not\b|isn't|must be)/i,
  /only (the )?['"`]?(user|assistant)\b.{0,60}\broles? (are|is)\b/i,
  // Gemma by Gemini's endpoint.
  /(developer|system) instructions? (is|are) not (enabled|supported)/i,
  // OpenAI's o1-mini.
  /does not support ['"`]?(system|developer)\b/i,
  /(unsupported|invalid|unknown|unexpected|unrecognized) (message )?role:? ?['"`]?(system|developer)\b/i,
];

const ROLES_REFUSED = [
  // Templates of Mistral, Gemma and Llama 2; Perplexity; Anthropic.
  /\balternat(e|es|ing|ely)\b/i,
  /\b(first|initial) (non-system )?message\b.{0,40}\buser\b/i,
  /\b(start|begin|starts|begins|starting|beginning) with (a |an |the )?['"`]?user\b/i,
  // Mistral's own API.
  /unexpected role ['"`]?(user|assistant|tool)['"`]? after role/i,
  /multiple ['"`]?(user|assistant)['"`]? (roles|messages) in a row/i,
  /(consecutive|successive|two) ['"`]?(user|assistant)\b.{0,20}\bmessages?/i,
];

/** Ollama, LM Studio and servers in Python, of a message that has calls alone. */
const NULL_REFUSED =
  /(?<!reasoning_)content\b.{0,40}(<?nil\b|null\b|\bnone\b|must be a string|valid string|expected (a )?string|required|missing)/i;

/** Anthropic, Z.AI, MiniMax and gateways, of a text without a letter, such as the result of a tool that says nothing. */
const EMPTY_REFUSED =
  /\bnon[- ]?(empty|whitespace)\b|\b(not|cannot|can't) be (empty|blank)\b|\b(content|message|text)s? (is|are|was) empty\b|\bempty (content|message|text)|不能为空|未正常接收到prompt/i;

/** Servers and templates that take a text alone, in Python, Rust and Go. */
const LIST_REFUSED =
  /content\b.{0,60}(must be (a )?string|valid string|expected (a )?string|of type string)|\b(sequence|array|list)\b.{0,40}\bstring\b|^str\b.{0,20}\bvalid string/i;

/** What else takes texts and not lists. Such a refusal says nothing about the messages, unless it names them. */
const OF_OTHER_FIELD =
  /\b(tools?|tool_choice|functions?|parameters|propert(y|ies)|schema|enum|required|stop|response_format|metadata|logit_bias)\b/i;
const OF_MESSAGES = /\b(content|messages?)\b/i;

const refusesList = (refusal: string): boolean =>
  LIST_REFUSED.test(refusal) && (OF_MESSAGES.test(refusal) || !OF_OTHER_FIELD.test(refusal));

const messagesOf = (body: Body): readonly Message[] =>
  Array.isArray(body['messages']) ? (body['messages'] as Message[]) : [];

const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';

const partsOf = (content: Content): readonly unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

function joined(one: unknown, other: unknown): unknown {
  if (one === null || one === undefined || one === '') return other;
  if (other === null || other === undefined || other === '') return one;
  if (typeof one === 'string' && typeof other === 'string') return `${one}\n\n${other}`;
  return [...partsOf(one as Content), ...partsOf(other as Content)];
}

/** The conversation with each system message at the beginning of the next message of the user. */
function withoutSystemRole(messages: readonly Message[]): Message[] {
  const folded: Message[] = [];
  let instructions: unknown = null;
  for (const message of messages) {
    if (isSystem(message)) instructions = joined(instructions, message['content']);
    else if (message['role'] === 'user' && instructions !== null) {
      folded.push({ ...message, content: joined(instructions, message['content']) });
      instructions = null;
    } else folded.push(message);
  }
  return instructions === null ? folded : [...folded, { role: 'user', content: instructions }];
}

/** Two messages as one, which has their name if both have it. */
function oneOf(one: Message, other: Message): Message {
  const { name: _, ...both }: Message = { ...one, ...other };
  const name = one['name'] === other['name'] ? one['name'] : undefined;
  return { ...both, content: joined(one['content'], other['content']), ...(name !== undefined && { name }) };
}

/** The conversation in strict alternation: a user first, then an answer, with its calls and their results, and so on. */
function alternating(messages: readonly Message[]): Message[] {
  const result: Message[] = [];
  for (const message of messages) {
    const { role } = message;
    const last = result.at(-1);
    const mayRepeat = role === 'user' || role === 'assistant';
    if (mayRepeat && last?.['role'] === role && last['tool_calls'] === undefined)
      result[result.length - 1] = oneOf(last, message);
    else {
      // An answer that failed after its calls has no text after their results.
      if (role === 'user' && last?.['role'] === 'tool') result.push({ role: 'assistant', content: FILLER });
      if (role === 'assistant' && (last === undefined || isSystem(last)))
        result.push({ role: 'user', content: FILLER });
      result.push(message);
    }
  }
  return result;
}

/** The texts of a message whose content is a list of texts alone; null for any other. */
function textsOf({ content }: Message): string[] | null {
  if (!Array.isArray(content) || content.length === 0) return null;
  const texts = content.map((part: { type?: unknown; text?: unknown } | null) =>
    part?.type === 'text' ? part.text : null,
  );
  return texts.every((text) => typeof text === 'string') ? texts : null;
}

const hasNoContent = ({ content }: Message): boolean => content === null;

const isBlank = (text: unknown): boolean => typeof text === 'string' && text.trim() === '';

const isBlankPart = (part: { type?: unknown; text?: unknown } | null): boolean =>
  part?.type === 'text' && isBlank(part.text);

const saysNothing = ({ content }: Message): boolean =>
  Array.isArray(content) ? content.length === 0 || content.some(isBlankPart) : isBlank(content);

/** The message with a text where it had none. */
function filled(message: Message): Message {
  const { content } = message;
  if (!saysNothing(message)) return message;
  const parts = Array.isArray(content) ? content.filter((part: Message | null) => !isBlankPart(part)) : [];
  return { ...message, content: parts.length > 0 ? parts : FILLER };
}

const callsOf = ({ tool_calls: calls }: Message): readonly Message[] =>
  Array.isArray(calls) ? (calls as Message[]) : [];

/** Whether a message has what only the model that wrote it can read. */
const hasReasoning = (message: Message): boolean =>
  'reasoning_content' in message ||
  'reasoning_details' in message ||
  'thinking_blocks' in message ||
  callsOf(message).some((call) => 'extra_content' in call);

function withoutReasoning(given: Message): Message {
  const { reasoning_content: _, reasoning_details: _2, thinking_blocks: _3, ...message } = given;
  if (callsOf(message).length === 0) return message;
  return { ...message, tool_calls: callsOf(message).map(({ extra_content: _1, ...call }) => call) };
}

/** DeepSeek and Kimi, of a conversation with answers of another model, or of a client that does not keep their reasoning. */
const REASONING_DEMANDED =
  /reasoning_content\b.{0,80}\b(must be|required|missing)|missing\b.{0,40}\breasoning_content/i;
const NOT_TAKEN = /not (permitted|allowed|supported)|unsupported|extra|unknown|unrecognized/i;

const lacksReasoning = ({ role, reasoning_content: text }: Message): boolean => role === 'assistant' && !text;

/** DeepSeek refuses an empty text, and takes a blank. */
const BLANK = ' ';

const hasName = (message: Message): boolean => 'name' in message;

/** Groq and servers in Python refuse the name of a message; OpenAI one with blanks. Calls and tools have names too. */
const NAME_REFUSED =
  /\bmessages?\b((?!function|tool_calls?|tools\b).){0,80}\bname\b|['"`]name['"`].{0,40}(unsupported|not (supported|permitted|allowed)|unknown|unexpected|unrecognized|extra)/i;

const refusesName = ({ param = '', message = '' }: Refusal): boolean =>
  param === 'name' || NAME_REFUSED.test(`${param} ${message}`);

/** Words of a refusal of one name, after which others are still sent. */
const OF_ONE_NAME = /pattern|match|valid(?!ation)|character|too long|at most|exceed/i;

export const MESSAGE_ADAPTATIONS: readonly Adaptation[] = [
  {
    name: 'system',
    isNamed: ({ message = '' }, body) =>
      messagesOf(body).some(isSystem) && SYSTEM_REFUSED.some((refused) => refused.test(message)),
    apply: (body) => ({ ...body, messages: withoutSystemRole(messagesOf(body)) }),
  },
  {
    name: 'content',
    isNamed: ({ message = '', param = '' }, body) =>
      messagesOf(body).some(hasNoContent) && NULL_REFUSED.test(`${param} ${message}`),
    apply: (body) => ({
      ...body,
      messages: messagesOf(body).map((message) => (hasNoContent(message) ? { ...message, content: '' } : message)),
    }),
  },
  {
    name: 'blank',
    isNamed: ({ message = '' }, body) => EMPTY_REFUSED.test(message) && messagesOf(body).some(saysNothing),
    apply: (body) => ({ ...body, messages: messagesOf(body).map(filled) }),
  },
  {
    name: 'text_parts',
    isNamed: ({ message = '', param = '' }, body) =>
      messagesOf(body).some((each) => textsOf(each) !== null) && refusesList(`${param} ${message}`),
    apply: (body) => ({
      ...body,
      messages: messagesOf(body).map((message) => {
        const texts = textsOf(message);
        return texts === null ? message : { ...message, content: texts.join('\n\n') };
      }),
    }),
  },
  {
    name: 'names',
    isNamed: (refusal, body) =>
      messagesOf(body).some(hasName) && refusesName(refusal) && !OF_ONE_NAME.test(refusal.message ?? ''),
    isPossible: (body, refusal) => messagesOf(body).some(hasName) && refusesName(refusal),
    apply: (body) => ({ ...body, messages: messagesOf(body).map(({ name: _, ...message }) => message) }),
  },
  {
    name: 'reasoning',
    // Some servers require what others refuse, and one name can stand for both.
    isNamed: () => false,
    isPossible: (body) => messagesOf(body).some(hasReasoning),
    apply: (body) => ({ ...body, messages: messagesOf(body).map(withoutReasoning) }),
  },
  {
    name: 'reasoning_content',
    isNamed: ({ message = '' }, body) =>
      REASONING_DEMANDED.test(message) && !NOT_TAKEN.test(message) && messagesOf(body).some(lacksReasoning),
    apply: (body) => ({
      ...body,
      messages: messagesOf(body).map((message) =>
        lacksReasoning(message) ? { ...message, reasoning_content: BLANK } : message,
      ),
    }),
  },
  {
    name: 'alternation',
    isNamed: ({ message = '' }, body) =>
      doesNotAlternate(body) && ROLES_REFUSED.some((refused) => refused.test(message)),
    isPossible: doesNotAlternate,
    apply: (body) => ({ ...body, messages: alternating(messagesOf(body)) }),
  },
];

function doesNotAlternate(body: Body): boolean {
  const messages = messagesOf(body);
  return alternating(messages).some((message, at) => message !== messages[at]);
}
