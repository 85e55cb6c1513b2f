import { finishOf, nativeFinishOf, weightier } from './finish-reason.js';

it.each([
  [
    'stop',
    ['stop', 'STOP', 'eos', 'eos_token', 'end_turn', 'endTurn', 'stop_sequence', 'tool_calls', 'FINISH_REASON_STOP'],
  ],
  ['stop', ['<|im_end|>', 'eos_token_id', 'FinishReason.STOP']],
  [
    'length',
    [
      'length_exceeded',
      'context_full',
      'tokens_limit_reached',
      'max_new_tokens_reached',
      'max_seq_len',
      'output_limit',
      'max_tokens_generated',
    ],
  ],
  [
    'filter',
    [
      'LANGUAGE',
      'OUTPUT_SAFETY',
      'safety_stop',
      'content_moderation',
      'content_moderated',
      'sensitive_content',
      'risk_control',
    ],
  ],
  ['failed', ['rate_limit_reached', 'invalid_length', 'limit_reached', 'token_limit_error', 'x'.repeat(5_000)]],
  ['length', ['length', 'MAX_TOKENS', 'max-tokens', 'max_tokens', 'maxTokens', 'model_length', 'Max Output Tokens']],
  ['filter', ['content_filter', 'SAFETY', 'RECITATION', 'sensitive', 'content_filter: PROHIBITED_CONTENT', 'refusal']],
  [
    'failed',
    [
      ...['insufficient_system_resource', 'abort', 'malformed_function_call', 'MALFORMED_FUNCTION_CALL', 'error'],
      ...['network_error', 'something new', 'function_call_filter: MALFORMED_FUNCTION_CALL', 7, true, {}, 'load'],
    ],
  ],
])('reads as %s', (finish, reasons) => {
  for (const reason of reasons) expect([reason, finishOf(reason)]).toEqual([reason, finish]);
});

it('reads the type of an object', () => {
  expect(finishOf({ type: 'length', length: 10 })).toBe('length');
});

it.each([null, undefined, '', ' ', 'null', 'None', false])('reads %j as none', (reason) => {
  expect(finishOf(reason)).toBeNull();
});

it('counts the reason behind a gateway where it has a meaning or names a fault', () => {
  expect(['MAX_TOKENS', 'MALFORMED_FUNCTION_CALL', 'something new', null, 7].map(nativeFinishOf)).toEqual([
    ...['length', 'failed', null, null, null],
  ]);
});

it('keeps the weightier of two', () => {
  expect([weightier('length', 'stop'), weightier(null, 'stop'), weightier('filter', 'failed')]).toEqual([
    ...['length', 'stop', 'failed'],
  ]);
});
