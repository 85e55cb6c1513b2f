import type { ReasoningEffort } from '@tanya/contract';
import type OpenAI from 'openai';
import type { ProviderMessage, ProviderPart, ProviderRequest } from '../provider.js';
import { ProviderError } from '../provider-error.js';

/** OpenRouter's form of the reasoning effort is not part of OpenAI's types. */
type Body = Omit<OpenAI.ChatCompletionCreateParamsStreaming, 'reasoning_effort'> & {
  reasoning?: { effort: ReasoningEffort };
  reasoning_effort?: ReasoningEffort;
};
type Part = OpenAI.ChatCompletionContentPart;

/** Audio types that OpenAI's format supports. An upstream refuses other types without a reason. */
const AUDIO_FORMATS: Record<string, 'wav' | 'mp3'> = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

export interface CompletionBodyOptions {
  /** OpenAI's newer models refuse `max_tokens`; most other servers support no other name. */
  usesNewLimitName: boolean;
  /** Field of the reasoning effort: `reasoning.effort` at OpenRouter, `reasoning_effort` elsewhere. */
  effortField?: 'reasoning' | 'reasoning_effort';
}

/** Builds the request body of a streamed completion. No other fields are sent to the upstream. */
export function completionBody(request: ProviderRequest, options: CompletionBodyOptions): Body {
  const limit = options.usesNewLimitName
    ? { max_completion_tokens: request.maxTokens }
    : { max_tokens: request.maxTokens };
  return {
    model: request.model,
    messages: request.messages.map(messageOf),
    stream: true,
    stream_options: { include_usage: true },
    ...request.sampling,
    ...(request.maxTokens === undefined ? {} : limit),
    ...effortOf(request.reasoningEffort, options.effortField),
  };
}

function effortOf(
  effort: ReasoningEffort | undefined,
  field: CompletionBodyOptions['effortField'],
): Pick<Body, 'reasoning' | 'reasoning_effort'> {
  if (effort === undefined) return {};
  return field === 'reasoning' ? { reasoning: { effort } } : { reasoning_effort: effort };
}

function messageOf({ role, content }: ProviderMessage): OpenAI.ChatCompletionMessageParam {
  if (role === 'user') return { role, content: typeof content === 'string' ? content : content.map(partOf) };
  return { role, content: typeof content === 'string' ? content : textOf(content) };
}

/** Joins the text parts of a message. Only messages of users have other parts. */
function textOf(parts: ProviderPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function partOf(part: ProviderPart): Part {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'image') return { type: 'image_url', image_url: { url: part.dataUrl } };
  return { type: 'input_audio', input_audio: audioOf(part.dataUrl) };
}

function audioOf(dataUrl: string): { data: string; format: 'wav' | 'mp3' } {
  const comma = dataUrl.indexOf(',');
  const type = dataUrl.slice('data:'.length, comma).split(';')[0]?.toLowerCase() ?? '';
  const format = AUDIO_FORMATS[type];
  if (!format) throw new ProviderError('provider_refused', { message: 'The model takes audio as WAV or MP3 only.' });
  return { data: dataUrl.slice(comma + 1), format };
}
