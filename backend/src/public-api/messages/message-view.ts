import type { FinishReason, StoredAnswer, WrittenAnswer } from '../../chat/generation/detached/written-answer.js';
import { ANSWER_JSON, parseWithin } from '../../platform/json/json-scan.js';
import { invalidArguments } from '../answers/call-arguments.js';

type StopReason = 'end_turn' | 'max_tokens' | 'tool_use' | 'refusal' | 'stop_sequence';

const STOP_REASONS: Record<FinishReason, StopReason> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  content_filter: 'refusal',
};

/** How a message ended. Most providers do not say at which stop sequence; then it ended its turn. */
export const toEnd = ({
  choices: [{ finishReason, stopSequence }],
}: WrittenAnswer): { stop_reason: StopReason; stop_sequence: string | null } =>
  stopSequence === undefined
    ? { stop_reason: STOP_REASONS[finishReason ?? 'stop'], stop_sequence: null }
    : { stop_reason: 'stop_sequence', stop_sequence: stopSequence };

type Tokens = Pick<WrittenAnswer, 'promptTokens' | 'completionTokens' | 'cachedTokens'>;

/** All fields of Anthropic's usage. `input_tokens` leaves out those of the cache, which OpenAI's providers count in. */
export function toUsage({ promptTokens, completionTokens, cachedTokens }: Tokens): object {
  const cached = cachedTokens ?? 0;
  return {
    input_tokens: Math.max(0, (promptTokens ?? 0) - cached),
    output_tokens: completionTokens ?? 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    server_tool_use: null,
    service_tier: 'standard',
  };
}

export interface MessageHead {
  /** UUID of the generation. */
  generationId: string;
  model: string;
  /** An estimate, which stands at the beginning of a stream. */
  promptTokens?: number;
}

/** A message without its content and its end. */
export const toAnthropicMessage = (
  { generationId, model }: MessageHead,
  content: object[],
  tokens: Tokens,
): object => ({
  id: `msg_${generationId.replaceAll('-', '')}`,
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: null,
  stop_sequence: null,
  usage: toUsage(tokens),
});

/** What of an answer depends on its request. */
export interface MessageAsked {
  /** Whether the message has the reasoning. */
  showsThinking: boolean;
  /** See `longNames`. */
  names: ReadonlyMap<string, string>;
}

export function toWholeMessage(
  head: MessageHead,
  answer: StoredAnswer,
  { showsThinking, names }: MessageAsked,
): object {
  const [{ text, reasoning, calls = [] }] = answer.choices;
  const thought = showsThinking ? (reasoning?.text ?? '') : '';
  const content = [
    ...(thought === '' ? [] : [{ type: 'thinking', thinking: thought, signature: '' }]),
    ...(text === '' && calls.length > 0 ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, arguments: json }) => ({
      type: 'tool_use',
      id,
      name: names.get(name) ?? name,
      input: inputOf(json),
    })),
  ];
  return { ...toAnthropicMessage(head, content, answer), ...toEnd(answer) };
}

/** The arguments of a call as an object. */
function inputOf(json: string): object {
  if (json.trim() === '') return {};
  try {
    const input = parseWithin(json, ANSWER_JSON);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  } catch {
    // The text goes on below.
  }
  return invalidArguments(json);
}
