import { saysTooLong } from './prompt-too-long.js';

it.each([
  'input exceeds limit of 200000 tokens',
  'Input exceeds the maximum number of tokens allowed (1048576).',
  'The total number of tokens exceeds the limit',
  'token limit is exceeded',
  'Your request would exceed the maximum number of input tokens',
  'Please ensure the input is less than 8192 tokens',
  // GitHub and its Copilot, Ollama, Z.AI, Mistral, Perplexity, Cohere, Bedrock.
  'Request body too large for gpt-4o model. Max size: 8000 tokens.',
  'prompt token count of 90000 exceeds the limit of 64000',
  'prompt too long; exceeded max context length by 300 tokens',
  'tokens in request more than max tokens allowed',
  'Prompt contains 50000 tokens, too large for model with 32768 maximum context length',
  'The total length of all messages is too long.',
  "total tokens exceeds the model's max of 4096",
  'too many tokens: size limit exceeded by 19296 tokens. The limit for this model is 132000 tokens.',
  'ValidationException: Input exceeds the max input token limit',
  // OpenAI's embeddings, MiniMax, Baidu, llama.cpp, gateways.
  "Invalid 'input': maximum request size is 300000 tokens per request.",
  'Requested 331430 tokens, max 300000 tokens per request',
  'invalid params, tokens exceed max length limit',
  'the max input characters is 11200',
  'Context size has been exceeded.',
  'This request requires 40000 tokens but the model supports 32768',
  'Your message exceeds the maximum length',
  'The message you submitted was too long',
  'The input tokens plus max_tokens exceeds 32768',
  '输入内容过长',
  '输入 tokens 超过最大限制',
  '免费API限制模型输入token小于4096',
  '请压缩上下文',
])('takes %j for a prompt that is too long', (message) => {
  expect(saysTooLong({ message })).toBe(true);
});

it.each(['tokens_limit_reached', 'model_max_prompt_tokens_exceeded', 'prompt_too_long', 'request_too_large'])(
  'takes the code %s for a prompt that is too long',
  (code) => expect(saysTooLong({ code, message: 'x' })).toBe(true),
);

it.each([
  // Rates.
  'exceeds limit of 40000 tokens per minute',
  'This request would exceed the rate limit for your organization of 30,000 input tokens per minute.',
  'ThrottlingException: Too many tokens, please wait before trying again.',
  'Daily token limit reached',
  // Limits of the answer.
  'max_tokens is too large: 100000. This model supports at most 16384 completion tokens.',
  'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens',
  'max tokens exceeds the model limit 8192',
  'the maximum value for `max_tokens` is less than the `context_window` for this model',
  'The thinking_budget exceeds the maximum tokens 8192',
  'max_tokens 超过最大值',
  // Other limits.
  'Number of stop sequences exceeds limit of 4',
  'cached content has less than 1024 tokens, the minimum',
  'The API token limit of 5 has been reached',
  'Input image is too large',
  'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum',
  'number of tools exceeds the limit of 128',
  'Tool name is too long: max 64 characters',
  '图片内容超过10MB限制',
  '请求频率超过限制',
])('does not take %j for one', (message) => {
  expect(saysTooLong({ message })).toBe(false);
});

it.each([
  ['messages[1].content', 1_048_576, true],
  ['messages[1].content[0].text', 1_048_576, true],
  ['input', 1_048_576, true],
  ['user', 64, false],
  ['prompt_cache_key', 64, false],
  ['messages[2].name', 64, false],
  ['messages[2].tool_calls[0].id', 40, false],
  ['tools[0].function.description', 1_024, false],
  ['messages[0].content[1].image_url.url', 20_971_520, false],
])('tells by its field %s whether a text is too long', (param, most, expected) => {
  const message = `Invalid '${param}': string too long. Expected a string with maximum length ${most}.`;
  expect(saysTooLong({ code: 'string_above_max_length', param, message })).toBe(expected);
});
