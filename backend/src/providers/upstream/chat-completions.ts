import { completionBody, type CompletionBodyOptions } from './completion/completion-body.js';
import { CompletionDecoder } from './completion/completion-decoder.js';
import type { WireFormat } from './wire-format.js';

/** OpenAI's chat completions, which most servers speak. */
export const chatCompletions = (options: CompletionBodyOptions): WireFormat => ({
  path: '/chat/completions',
  body: (request) => completionBody(request, options),
  createDecoder: ({ sampling, maxTokens, tools = [] }) =>
    new CompletionDecoder({
      ...{ choices: sampling?.n, readsLogprobs: sampling?.logprobs, maxTokens },
      toolNames: tools.map(({ name }) => name),
      stops: [sampling?.stop ?? []].flat(),
    }),
});
