import { type Adaptation, type Body, OF_VALUE, type Refusal } from './adaptation.js';
import { type Fields, isFields } from '../../../platform/json/fields.js';

/** Names of a parameter in a request. The others have one, their own. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  max_tokens: ['max_tokens', 'max_completion_tokens'],
  reasoning_effort: ['reasoning_effort', 'reasoning'],
};

/** Words by which servers name a parameter beside its own name. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  max_tokens: ['maxcompletiontokens', 'maxoutputtokens', 'maxnewtokens'],
  reasoning_effort: ['reasoning', 'effort'],
  // "Penalty is not enabled" of Gemini.
  presence_penalty: ['penalty'],
  frequency_penalty: ['penalty'],
};

/** Ollama, of an effort, which it calls otherwise: "does not support thinking", "think value "medium" is not supported". */
const OF_EFFORT = /\bsupport thinking\b|\bthink value\b/i;

/** Anthropic, of the temperature and `top_p`; Perplexity, of the penalties. One of them may stay. */
const OF_PAIR = /\bboth\b|\bonly one\b|\bone of\b|mutually exclusive|\btogether\b/i;

/** `presencePenalty` of xAI is `presence_penalty`. */
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();

const namesOf = (field: string): readonly string[] => FIELDS[field] ?? [field];

function isNamed(field: string, { param = '', message = '' }: Refusal): boolean {
  if (field === 'reasoning_effort' && OF_EFFORT.test(message)) return true;
  const words = new Set((`${param} ${message}`.match(/\w+/g) ?? []).map(plain));
  return [plain(field), ...(WORDS[field] ?? [])].some((word) => words.has(word));
}

/** The value as it is shown. */
function valueIn(body: Body, field: string): string {
  const value = namesOf(field)
    .map((name) => body[name])
    .find((each) => each !== undefined);
  return JSON.stringify(isFields(value) ? value['effort'] : value);
}

const hasField = (body: Body, field: string): boolean => namesOf(field).some((name) => name in body);

function without(body: Body, field: string): Body {
  const names = namesOf(field);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/**
 * The parameters of a request that its asker did not set, each with its value: an admin's default that the server of the
 * model refuses is left out. Another value is tried again.
 * @param defaults names of these parameters
 */
export function defaultAdaptations(defaults: readonly string[], original: Fields): Adaptation[] {
  const given = defaults.filter((field) => hasField(original, field));
  const each = given.map((field, at): Adaptation => {
    const others = given.slice(at + 1);
    return {
      name: `${field}=${valueIn(original, field)}`,
      isCostly: true,
      isNamed: (refusal, body, changed) => {
        if (!hasField(body, field) || !isNamed(field, refusal)) return false;
        const message = refusal.message ?? '';
        if (OF_PAIR.test(message) && others.some((other) => hasField(body, other) && isNamed(other, refusal)))
          return false;
        // Its other name is tried first.
        const isRenamed = namesOf(field).some((name) => changed.has(name));
        return field !== 'max_tokens' || isRenamed || OF_VALUE.test(message);
      },
      apply: (body) => without(body, field),
    };
  });
  // Most servers know the limit and the effort, which each title and summary has, or name them.
  if (given.every((field) => field in FIELDS)) return each;
  const all: Adaptation = {
    name: 'defaults',
    isNamed: () => false,
    // MiniMax and Z.AI say "invalid params" alone. A refusal that names another field has its cause there.
    isPossible: (body, refusal) =>
      given.some((field) => hasField(body, field)) &&
      !Object.keys(original).some((field) => field !== 'model' && isNamed(field, refusal)),
    apply: (body) => given.reduce(without, body),
  };
  return [...each, all];
}
