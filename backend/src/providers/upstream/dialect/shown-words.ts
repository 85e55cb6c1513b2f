import { randomInt } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { jsonPieces } from '../../../platform/json/json-writer.js';
import { inSlices } from '../../../platform/system/slices.js';
import type { ProviderWords } from '../../provider-error.js';
import { type FailureDetail, MAX_TEXT } from './error-shape.js';

/** Characters of a text that count as a quotation of the request. */
const RUN = 40;

const HIDDEN = '…';

/** The least characters with which a word counts as the beginning of a key. */
const BEGIN = 8;

/** The names that secrets have, alone or at the end of a longer name such as `OPENAI_API_KEY`. */
const NAMES = 'api[-_ ]?key|access[-_ ]?key|access[-_ ]?token|refresh[-_ ]?token|secret|password|passwd|credential';

/** Keys by their usual prefixes, tokens of JWT, keys that are masked in part, and what follows the name of a secret. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:(?!-----END)[\s\S])*(?:-----END [A-Z ]{0,40}-----)?/g,
  /\b(?:(?:sk|pk|rk|tk|gsk|csk|xai|hf|pplx|nvapi|r8|fw|sess|gh[oprsu]|github_pat|glpat|xox[abeprs])[-_.]|AIza|AKIA|ASIA|ya29[-_.]?)[A-Za-z0-9][\w.*-]{9,}[\w*-]/g,
  /\bkey[-_.]?(?=[\w.*-]*[\d*])[A-Za-z0-9][\w.*-]{9,}[\w*-]/g,
  /\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g,
  /(?<![\w-])[\w-]*\*{4,}[\w*-]*/g,
  /(?<=:\/\/)[^\s/@"'<>]+(?=@)/g,
  /(?<=[?&][\w.-]{0,30}(?:key|token|secret|password|sig|signature|credential|auth)=)[^\s&"'<>]{4,}/gi,
  /(?<=\bbearer[\s:=]{1,3}["']?)[^\s"',;<>]{4,}/gi,
  /(?<=\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:basic|token|apikey|api-key|digest|negotiate)\s{1,3})?)(?!(?:bearer|basic|token|apikey|api-key|digest|negotiate)\s)[^\s"',;<>]{4,}/gi,
  new RegExp(`(?<=(?:${NAMES})["']?\\s{0,3}[:=]\\s{0,3}["']?)(?!bearer\\b)[^\\s"',;<>]{4,}`, 'gi'),
];

/**
 * What a provider said about a failure, as programs may read it: keys are masked, and so is each run of 40 characters that
 * stands in the request, since it would repeat what people wrote.
 * @param request as it was sent, of any JSON
 * @param apiKey of the connection
 */
export async function shownWords(
  { message, type, code, param }: FailureDetail,
  request: () => unknown,
  apiKey: string | null,
): Promise<ProviderWords> {
  const words = { message, type, code, param };
  const shown: ProviderWords = {};
  for (const [name, text] of Object.entries(words) as [keyof ProviderWords, string | undefined][]) {
    if (text === undefined || text.trim() === '') continue;
    const own = await withoutQuotations(withoutCutWord(text), request);
    shown[name] = withoutSecrets(withoutControls(own), apiKey);
  }
  return shown;
}

/** A text that was cut may end with the beginning of a key, which no longer looks like one. */
const withoutCutWord = (text: string): string =>
  text.length < MAX_TEXT ? text : text.replace(/[^\s"',;:=]{1,200}$/, HIDDEN);

/** Without what a terminal obeys: escape sequences, control characters but line ends and tabs, changes of direction. */
const withoutControls = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '');

function withoutSecrets(text: string, apiKey: string | null): string {
  const others = apiKey === null ? text : withoutKey(text, apiKey);
  return SECRETS.reduce((masked, pattern) => masked.replace(pattern, HIDDEN), others);
}

/** Without a key, and without a word that begins as it does: a provider may show it in part. */
function withoutKey(text: string, apiKey: string): string {
  if (apiKey.length < 4) return text;
  const whole = text.replaceAll(apiKey, HIDDEN);
  if (apiKey.length < 2 * BEGIN) return whole;
  const [first, ...others] = whole.split(apiKey.slice(0, BEGIN));
  return [first, ...others.map((rest) => rest.replace(/^[\w.*…-]*/, ''))].join(HIDDEN);
}

/** Replaces the runs of a text that stand in the JSON of the request, as they are there or as its texts. */
async function withoutQuotations(text: string, request: () => unknown): Promise<string> {
  if (text.length < RUN) return text;
  const escaped = escapedUnits(text);
  const json = escaped.join('');
  const plain = new SoughtRuns(text);
  const inJson = json === text ? plain : new SoughtRuns(json);
  let before = '';
  for await (const piece of inSlices(jsonPieces(request()))) {
    const joined = before + piece;
    plain.findIn(joined);
    if (inJson !== plain) inJson.findIn(joined);
    before = joined.slice(-RUN);
  }
  let at = 0;
  const isHidden = escaped.map((unit, index) => {
    const found = plain.isFound(index, 1) || inJson.isFound(at, unit.length);
    at += unit.length;
    return found;
  });
  const shown = text.split('').map((unit, at) => (isHidden[at] !== true ? unit : isHidden[at - 1] ? '' : HIDDEN));
  return shown.join('').toWellFormed();
}

/** The code units of a text as JSON writes them. */
const escapedUnits = (text: string): string[] =>
  text.split('').map((unit) => (/["\\\p{Cc}]/u.test(unit) ? JSON.stringify(unit).slice(1, -1) : unit));

/** Odd, and another one in each process: nobody can choose texts whose hashes are equal. */
const FACTOR = randomInt(2 ** 31) * 2 + 1;

/** The runs of a text that other texts have: a rolling hash finds them in one pass. */
class SoughtRuns {
  /** Where runs begin, by their hash. */
  private readonly starts = new Map<number, number[]>();
  /** Whether a hash is known, by its upper 16 bits, which is seen faster than in the map. */
  private readonly known = new Uint8Array(65_536);
  private readonly found: Uint8Array;

  constructor(private readonly text: string) {
    this.found = new Uint8Array(text.length);
    hashRuns(text, (hash, start) => {
      this.known[hash >>> 16] = 1;
      this.starts.set(hash, [...(this.starts.get(hash) ?? []), start]);
    });
  }

  /** Whether a character of a range belongs to a run that was found. */
  isFound(start: number, length: number): boolean {
    return this.found.subarray(start, start + length).includes(1);
  }

  findIn(other: string): void {
    const { known, starts } = this;
    if (starts.size === 0) return;
    hashRuns(other, (hash, at) => {
      if (known[hash >>> 16] === 0) return;
      const candidates = starts.get(hash);
      if (candidates === undefined) return;
      const run = other.slice(at, at + RUN);
      const rest = candidates.filter((start) => !this.text.startsWith(run, start));
      for (const start of candidates) if (!rest.includes(start)) this.found.fill(1, start, start + RUN);
      // A run counts once: a long repetition would be compared at each character.
      if (rest.length === 0) starts.delete(hash);
      else starts.set(hash, rest);
    });
  }
}

/** Calls back with the hash of each run of a text, a whole number of 32 bits. */
function hashRuns(text: string, onRun: (hash: number, start: number) => void): void {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash, FACTOR) + text.charCodeAt(at);
    if (at >= RUN) hash -= Math.imul(OLDEST, text.charCodeAt(at - RUN));
    hash |= 0;
    if (at >= RUN - 1) onRun(hash, at - RUN + 1);
  }
}

/** `FACTOR` to the power of `RUN`: the weight of the character that leaves a run. */
const OLDEST = Array.from({ length: RUN }).reduce<number>((power) => Math.imul(power, FACTOR), 1);
