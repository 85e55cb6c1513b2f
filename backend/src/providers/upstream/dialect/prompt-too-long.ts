import type { FailureDetail } from './error-shape.js';

/** The words of each server for a prompt that is too long. */
const TOO_LONG: readonly RegExp[] = [
  /context[ _-]?(length|window|size|overflow)|maximum context/i,
  // Anthropic, Bedrock, Perplexity.
  /\b(prompt|input|messages?|conversation|text|request)s?( tokens| length| you submitted)? (is |are |was |were )?too (long|large|big)\b/i,
  // Gemini, SGLang.
  /(input|prompt|token)s? (token count|count|length)\b.{0,40}\bexceed/i,
  // Z.AI, and gateways.
  /\b((prompt|input|message)s?( length)?|(text|sequence) length) (exceeds?|exceeded|is (longer|larger|greater) than) (the |your )?(specified )?(max(imum)?|limit)\b/i,
  // Z.AI, OpenAI and others, of one request.
  /\bmax tokens (allowed|per request)\b|maximum request size is \d+ tokens|\bmore tokens than\b/i,
  // Together, vLLM.
  /\b(input|prompt|message)s?\b.{0,40}(\+|\bplus\b|\band\b) [`'"]?max_(new_|completion_)?tokens\b.{0,40}(exceed|<=|less|greater|larger)/i,
  // Baidu.
  /\binput characters\b/i,
  // xAI, vLLM with pictures.
  /maximum (prompt|input|model) length/i,
  // SiliconFlow and TabbyAPI.
  /\bmax_seq_len\b/i,
  // TensorRT-LLM; vLLM, of a prompt that leaves no room for an answer.
  /\bexceed max_num_tokens\b|\bmax_tokens must be at least 1, got -\d/i,
  // Alibaba.
  /range of input length/i,
  // Text Generation Inference.
  /\binputs`? (tokens|must have less)/i,
  // llama.cpp, for one of the texts to embed.
  /\binput (\(\d+ tokens\) )?is too large to process/i,
  // Groq; GitHub.
  /reduce the length of (the|your) (messages|prompt|input)|request body too large for \S{1,100} model/i,
  // Codes of GitHub, Anthropic, Copilot and gateways.
  /\b(tokens?_limit_(reached|exceeded)|\w{0,20}prompt_tokens[ _]exceeded|(prompt|input)_too_long|request_too_large|content_length_exceeds_\w+)\b/i,
  // Servers in China, in their own language.
  /(输入|上下文|提示词|消息|(?<![片件频])内容|长度|prompt|(?<!_)tokens?)(?:(?!图|文件|音频|视频|额度|速率)[^。,，;；]){0,10}(超过|超出|超限|超长|过长|太长|小于)/i,
  /(超过|超出|压缩)[^。,，;；]{0,6}上下文/,
];

/** A number of tokens that is too large, in any words. */
const MOST_TOKENS =
  /exceed|\btoo many\b|\b(more|greater|longer|larger) than\b|\b(less|fewer|shorter) than\b|\bat most\b|\bup to\b|\blimit(ed)?\b|\bmax(imum)?\b|\d tokens but the model supports\b/i;
/** Tokens of an answer, or others that are not those of the prompt. */
const OF_OTHERS =
  /max[ _-]?(new_|completion_|output_)?tokens|\b(output|completion|new|generated|thinking|reasoning|access|refresh|api|api_key|stop) tokens?\b|budget|logit_bias|logprobs|\bstop\b|\bminimum\b|\bat least\b|\bquota\b|\bretries\b|recursion/i;
const OF_TOKENS = /(?<![-_])\btokens\b(?!_)|(?<!_)\btoken[ _-](count|length|limit)\b/i;

/** A rate, which another minute has room for: "Too many tokens, please wait" of Bedrock. */
const OF_RATE =
  /\bper[ _-]?(second|minute|min|hour|day)\b|\brate[ _-]?limit|\bTPM\b|throttl|please wait|\b(today|daily|weekly|monthly)\b/i;
/** Groq, of the tokens of an answer. */
const OF_ANSWER = /maximum value for [`'"]?max_(completion_)?tokens/i;

/** OpenAI, of a text with more than a million characters. Ids, names and descriptions have lower limits. */
const LONG_STRING = /string too long\b.{0,80}\bmaximum length \d{6,}|\bat most \d{6,} characters/i;
const LONG_STRING_CODE = /\bstring_(above_max_length|too_long)\b/;
const OF_TEXT = /\bmessages?\b.{0,10}\bcontent\b|^(input|prompt)(\[\d+\])?$/;
const OF_FILE = /image|file|audio|video|url/i;

/** Whether the words of a failure say that the prompt is too long for the model. */
export function saysTooLong({ code = '', type = '', message = '', param = '' }: FailureDetail): boolean {
  const words = `${code} ${type} ${message}`;
  if (OF_RATE.test(words) || OF_ANSWER.test(message)) return false;
  if (TOO_LONG.some((each) => each.test(words))) return true;
  if (OF_TOKENS.test(message) && MOST_TOKENS.test(message) && !OF_OTHERS.test(message)) return true;
  if (OF_FILE.test(param) || OF_FILE.test(message)) return false;
  return LONG_STRING.test(message) || (LONG_STRING_CODE.test(`${code} ${type}`) && OF_TEXT.test(param));
}
