/** What a finish reason says about an answer, in the order of their weight: the weightiest of an answer counts. */
export type Finish = 'stop' | 'length' | 'filter' | 'failed';

const WEIGHTS: readonly Finish[] = ['stop', 'length', 'filter', 'failed'];

/**
 * The reasons that servers send, in lower case with one underscore between words. Every other reason is a failure: it says
 * at least that the answer is not known to be whole.
 */
const REASONS: Readonly<Record<Exclude<Finish, 'failed'>, readonly string[]>> = {
  stop: [
    ...['stop', 'stopped', 'stop_sequence', 'stop_token', 'stop_word', 'stop_words', 'stop_string', 'stop_str'],
    ...[
      'eos',
      'eos_token',
      'eos_token_id',
      'eos_id',
      'eot',
      'eot_id',
      'eog',
      'end_of_sequence',
      'end_of_text',
      'end_of_turn',
    ],
    ...['eom', 'eom_id', 'im_end', 'endoftext', 'end', 'end_turn', 'ended', 'finish', 'finished', 'normal'],
    ...['complete', 'completed', 'done', 'success'],
    ...['tool_call', 'tool_calls', 'tool_use', 'tools', 'function_call', 'function_calls', 'function', 'call'],
  ],
  length: [
    ...['length', 'max_length', 'max_tokens', 'max_token', 'max_new_tokens', 'max_output_tokens', 'max_output'],
    ...['max_completion_tokens', 'max_tokens_reached', 'model_length', 'token_limit', 'limit', 'length_limit'],
    ...['context_length', 'context_length_exceeded', 'context_window', 'context_window_exceeded', 'max_context_length'],
    ...['model_context_window_exceeded', 'length_capped', 'truncated'],
  ],
  filter: [
    ...['content_filter', 'content_filtered', 'contentfilter', 'filter', 'filtered', 'content_policy', 'moderation'],
    ...['safety', 'recitation', 'sensitive', 'blocklist', 'prohibited_content', 'spii', 'image_safety', 'blocked'],
    ...['content_policy_violation', 'policy_violation', 'refusal', 'guardrail', 'guardrails', 'guardrail_intervened'],
    ...['image_prohibited_content', 'image_recitation', 'model_armor', 'error_toxic', 'jailbreak', 'flagged'],
    // Gemini, of a language that it does not speak.
    ...['language', 'risk', 'risk_control', 'censored', 'harmful', 'policy'],
  ],
};

const MEANINGS = new Map<string, Finish>(
  (['stop', 'length', 'filter'] as const).flatMap((finish) => REASONS[finish].map((reason) => [reason, finish])),
);

/** Words within a longer name: `token_limit_reached`, `output_safety`. A name that says more than a limit is a fault. */
const OF_LENGTH =
  /(^|_)(length|max_([a-z]{1,20}_)?(tokens?|length|len)|tokens?_limit|(context|output)_(limit|full|window))(_|$)/;
const OF_FILTER = /(^|_)(safety|moderation|moderated|sensitive|filter|filtered|toxic|censored|prohibited|harmful)(_|$)/;
const OF_FAULT = /error|fail|invalid|malformed|timeout|(^|_)rate(_|$)|abort|cancel|call/;

/** Texts that servers send with every chunk where others send null. */
const NONE: readonly string[] = ['', 'null', 'none', 'undefined'];

/**
 * The meaning of a `finish_reason` of any type. Case, dashes and blanks do not matter, nor does the prefix of an enum
 * (`FINISH_REASON_STOP`) or a remark behind a colon (`content_filter: RECITATION`). TGI sends an object with its `type`.
 * @returns null for none
 */
export function finishOf(reason: unknown): Finish | null {
  if (reason === null || reason === undefined || reason === false) return null;
  if (typeof reason === 'object') return 'type' in reason ? finishOf(reason.type) : 'failed';
  if (typeof reason !== 'string') return 'failed';
  const name = nameOf(reason.slice(0, 200));
  return NONE.includes(name) ? null : (MEANINGS.get(name) ?? meaningOfWords(name));
}

function meaningOfWords(name: string): Finish {
  if (OF_FAULT.test(name)) return 'failed';
  if (OF_FILTER.test(name)) return 'filter';
  return OF_LENGTH.test(name) ? 'length' : 'failed';
}

/** Whether a reason says that the answer ends with calls. */
export const announcesCalls = (reason: unknown): boolean => typeof reason === 'string' && /tool|function/i.test(reason);

/**
 * The reason of the model behind a gateway (`native_finish_reason`). Only those with a meaning and those that name a fault
 * count, because most are unknown names of an end that the gateway has judged.
 */
export function nativeFinishOf(reason: unknown): Finish | null {
  const finish = typeof reason === 'string' ? finishOf(reason) : null;
  return finish === 'failed' && !/malformed|error|abort|fail|cancel|unexpected/i.test(String(reason)) ? null : finish;
}

export const weightier = (one: Finish | null, other: Finish | null): Finish | null =>
  other === null || (one !== null && WEIGHTS.indexOf(one) >= WEIGHTS.indexOf(other)) ? one : other;

const nameOf = (reason: string): string =>
  reason
    .split(':', 1)
    .join('')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .trim()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(/^(finish|stop)_reason_/, '');
