import type { ProviderEvent, ProviderEventListener } from '../../provider.js';
import { StopTokens } from './stop-tokens.js';

/** Tags around the reasoning that models write into their text, in lower case. The tags of another model are one row. */
const TAGS: readonly (readonly [open: string, close: string])[] = [
  // DeepSeek R1, Qwen, QwQ, MiniMax and most others.
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  // Models that were trained with these, and Open WebUI reads.
  ['<reasoning>', '</reasoning>'],
  ['<reason>', '</reason>'],
  // Gemma and Gemini.
  ['<thought>', '</thought>'],
  // Gemma 4.
  ['<|channel>thought', '<channel|>'],
  // gpt-oss without the parser of its format.
  ['<|channel|>analysis<|message|>', '<|end|>'],
  // Magistral.
  ['[think]', '[/think]'],
  // Seed-OSS.
  ['<seed:think>', '</seed:think>'],
  ['<longcat_think>', '</longcat_think>'],
  // Kimi-VL.
  ['◁think▷', '◁/think▷'],
  // OpenThinker.
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  // Cohere.
  ['<|start_thinking|>', '<|end_thinking|>'],
  // Apertus.
  ['<|inner_prefix|>', '<|inner_suffix|>'],
];
const OPENINGS = TAGS.map(([open]) => open);
const CLOSINGS = TAGS.map(([, close]) => close);

/** A pattern of some tags in any case. Without the flag `u` it compares capitals of ASCII alone. */
const patternOf = (tags: readonly string[], before = ''): RegExp =>
  new RegExp(`${before}(?:${tags.map((tag) => tag.replaceAll(/[|[\]]/g, String.raw`\$&`)).join('|')})`, 'i');

/** What stands before an answer, dropped at its beginning: gpt-oss names the channels of its text. */
const DROPPED = ['<|start|>assistant', '<|channel|>final<|message|>', '<|channel|>commentary<|message|>'];

/** Tags around an answer that follows reasoning: Hunyuan, ERNIE, Marco, OpenThinker, Cohere, GLM with pictures. */
const AROUND: readonly (readonly [open: string, close: string])[] = [
  ['<answer>', '</answer>'],
  ['<response>', '</response>'],
  ['<output>', '</output>'],
  ['<|begin_of_solution|>', '<|end_of_solution|>'],
  ['<|start_response|>', '<|end_response|>'],
  ['<|begin_of_box|>', '<|end_of_box|>'],
];
const AROUND_OPENINGS = AROUND.map(([open]) => open);

const OPENING_AT_START = patternOf(OPENINGS, '^');
const DROPPED_AT_START = patternOf([...CLOSINGS, ...DROPPED], '^');
const AROUND_AT_START = patternOf(AROUND_OPENINGS, '^');

/** A tag around an answer that is the root of some XML, and one of which that is not known yet. */
const XML_ROOT = /^<[a-z]+>\s{0,100}<[a-z]/;
const MAY_BE_ROOT = /^<[a-z]+>\s{0,100}<?$/;

/** An opening tag with attributes, one that is empty, and the beginning of either. */
const WITH_ATTRIBUTES = /^<(think|thinking|thought)\s[^<>]{0,200}>/;
const EMPTY = /^<(?:think|thinking|thought)\s{0,20}\/>/;
const MAY_HAVE_ATTRIBUTES = /^<(?:think|thinking|thought)(?:\s[^<>]{0,200}|\/)?$/;
/** Characters of the longest of these. */
const HEAD = 220;

/** Models close one of these by the other, on a line of its own. */
const KIN = ['</think>', '</thinking>'];

/** Finds the end of the reasoning of each row. */
const CLOSING_OF = CLOSINGS.map((close) =>
  patternOf(KIN.includes(close) ? [close, ...KIN.map((other) => `\n${other}`)] : [close]),
);

/** Closing tags that turn all text before them into reasoning. `<|end|>` is the end of other models' answers. */
const LONE = CLOSINGS.map((close) => (close === '<|end|>' ? `${close}${DROPPED[0]}${DROPPED[1]}` : close));

/** Texts that begin and end reasoning without tags: gpt-oss whose marks its server drops, and Granite. */
const UNTAGGED: readonly (readonly [begin: RegExp, close: string])[] = [
  [/^\s*analysis/, 'assistantfinal'],
  [/^\s*here(?:['’]s| is) my thought process:/, 'here is my response:'],
  [/^\s*here(?:['’]s| is) my thought process:/, "here's my response:"],
];
/** Characters in which such a beginning stands. */
const BEGINNING = 100;

/** An opening tag; one with attributes is that of some XML. */
const OPENING_OR_XML = patternOf(OPENINGS.flatMap((open) => [open, `${open.slice(0, -1)} `]));

/** Characters of the longest tag. */
const LONGEST_TAG = Math.max(...[...TAGS.flat(), ...DROPPED, ...AROUND_OPENINGS].map((tag) => tag.length));

/** The first character of a tag. */
const MAY_BEGIN_TAG = /[<[◁]/;

/** White space that is held back; more of it is passed on, because it would be kept without a bound. */
const MAX_SPACE = 1_000;

/** Closing tags without an opening one that are judged in one answer; each reads the text before it, so that is bounded too. */
const MAX_CLOSINGS = 20;
const MAX_JUDGED = 1_000_000;

/** After a blank, a quote or a bracket, a closing tag is spoken of. */
const SPEAKS_OF_TAG = /[\s"'`“”‘’«([{]$/;
/** The beginning of a quotation; its end is a part of what was said. */
const QUOTES = /(?:(?:^|[\s(])["'`]|[“‘«([{])$/;

type TextEvent = Extract<ProviderEvent, { type: 'text-delta' }>;

/**
 * Separates the reasoning that a model writes between tags from the text of one answer: at its beginning, several times and
 * empty too, and before a closing tag alone, whose opening one stands in the prompt of some models. Then all text so far
 * was reasoning. Tags inside the text and in code stay. Blanks around the reasoning go with the tags.
 */
export class ReasoningTags {
  private state: 'start' | 'reasoning' | 'text' = 'start';
  /** The row of `TAGS` whose reasoning is read. */
  private row = 0;
  /** What ends the answer and is dropped there; empty for nothing. */
  private end = '';
  /** Not passed on: white space, and what may be the beginning of a tag. */
  private held = '';
  /** Whether the answer has reasoning of its own, so that a closing tag in its text is text. */
  private hasReasoning = false;
  private hasTags = false;
  /** Whether the reasoning between the present tags has begun. */
  private isBegun = false;
  private wroteReasoning = false;
  /** The text so far, while a closing tag may turn it into reasoning. */
  private said = '';
  private beginning = '';
  private untagged: string[] | null = null;
  private closings = 0;
  /** Characters that were read to judge closing tags. */
  private judged = 0;

  push(events: readonly ProviderEvent[]): ProviderEvent[] {
    return events.flatMap((event) => {
      if (event.type === 'text-delta') return this.read(event.text);
      if (event.type === 'reasoning-delta') this.hasReasoning = true;
      return event.type === 'finish' || event.type === 'tool-call' ? [...this.flush(), event] : [event];
    });
  }

  private read(delta: string): ProviderEvent[] {
    if (this.state === 'text' && this.held === '' && !this.mayEnd(delta)) return this.text(delta);
    const events: ProviderEvent[] = [];
    let rest: string | null = this.held + delta;
    this.held = '';
    while (rest !== null) {
      if (this.state === 'start') rest = this.readStart(rest);
      else if (this.state === 'reasoning') rest = this.readReasoning(rest, events);
      else rest = this.readText(rest, events);
    }
    return events;
  }

  /** Each of these returns what the next state reads, or null when more has to arrive. */
  private readStart(text: string): string | null {
    const trimmed = text.trimStart();
    // A text may have thousands of tags, so its rest is not read for each of them.
    const head = lowerCase(trimmed.slice(0, HEAD));
    if (head !== '' && !MAY_BEGIN_TAG.test(head.charAt(0))) return this.beginText(text);
    const [empty = ''] = EMPTY.exec(head) ?? [];
    const [named, name] = empty === '' ? (WITH_ATTRIBUTES.exec(head) ?? []) : [];
    const [opening = named] = OPENING_AT_START.exec(trimmed) ?? [];
    if (opening !== undefined) {
      this.state = 'reasoning';
      this.row = OPENINGS.indexOf(name === undefined ? lowerCase(opening) : `<${name}>`);
      this.hasTags = true;
      this.isBegun = false;
      return trimmed.slice(opening.length);
    }
    const [dropped = empty] = DROPPED_AT_START.exec(trimmed) ?? [];
    if (dropped !== '') {
      this.hasTags = true;
      return trimmed.slice(dropped.length);
    }
    const mayBeAround = this.hasTags && this.end === '';
    const [around] = (mayBeAround && !XML_ROOT.test(head) ? AROUND_AT_START.exec(trimmed) : null) ?? [];
    const mayBeRoot = around !== undefined && MAY_BE_ROOT.test(head);
    if (around !== undefined && !mayBeRoot) {
      this.end = AROUND[AROUND_OPENINGS.indexOf(lowerCase(around))]![1];
      return trimmed.slice(around.length);
    }
    const marks = [...TAGS.flat(), ...DROPPED, ...(mayBeAround ? AROUND_OPENINGS : [])];
    const mayBeTag = mayBeRoot || startsTag(head.slice(0, LONGEST_TAG), marks) || MAY_HAVE_ATTRIBUTES.test(head);
    if (mayBeTag && text.length - trimmed.length <= MAX_SPACE) {
      this.held = text;
      return null;
    }
    return this.beginText(text);
  }

  /** Blanks behind tags go with them. */
  private beginText(text: string): string {
    this.state = 'text';
    return this.hasTags ? text.trimStart() : text;
  }

  private readReasoning(text: string, events: ProviderEvent[]): string | null {
    const begun = this.isBegun ? text : text.trimStart();
    const close = CLOSINGS[this.row]!;
    const found = CLOSING_OF[this.row]!.exec(begun);
    if (found !== null) {
      this.addReasoning(begun.slice(0, found.index).trimEnd(), events);
      this.state = 'start';
      return begun.slice(found.index + found[0].length);
    }
    const from = begun.length - endingIn(begun, KIN.includes(close) ? KIN : [close]);
    const kept = begun.slice(0, from).trimEnd().length;
    const isLong = from - kept > MAX_SPACE;
    this.addReasoning(begun.slice(0, isLong ? from : kept), events);
    this.held = begun.slice(isLong ? from : kept);
    return null;
  }

  private readText(text: string, events: ProviderEvent[]): string | null {
    if (this.end !== '') return this.readEnd(text, events);
    let from = 0;
    const lower = lowerCase(text);
    const untagged = this.untaggedIn(text);
    const marks = [...LONE, ...untagged];
    while (this.isWatching) {
      const found = marks
        .map((close) => ({ close, at: lower.indexOf(close, from) }))
        .filter(({ at }) => at !== -1)
        .toSorted((one, other) => one.at - other.at)[0];
      if (found === undefined) break;
      const { close, at } = found;
      this.closings += 1;
      this.judged += this.said.length + at - from;
      events.push(...this.text(text.slice(from, at)));
      if (untagged.includes(close) ? !isQuoted(this.said) : endsReasoning(this.said)) {
        events.push({ type: 'text-was-reasoning' });
        this.hasTags = true;
        this.wroteReasoning = true;
        this.state = 'start';
        return text.slice(at + close.length);
      }
      events.push(...this.text(text.slice(at, at + close.length)));
      from = at + close.length;
    }
    const end = this.isWatching ? text.length - endingIn(text, marks, untagged.length > 0) : text.length;
    events.push(...this.text(text.slice(from, Math.max(from, end))));
    this.held = text.slice(Math.max(from, end));
    return null;
  }

  /** Holds back what may be the end of the answer, which is dropped there and is text in front of other text. */
  private readEnd(text: string, events: ProviderEvent[]): null {
    const last = lowerCase(text).lastIndexOf(this.end);
    const isLast = last !== -1 && text.slice(last + this.end.length).trim() === '';
    const end = isLast ? last : text.length - endingIn(text, [this.end]);
    const isLong = text.length - end > MAX_SPACE;
    events.push(...this.text(isLong ? text : text.slice(0, end)));
    this.held = isLong ? '' : text.slice(end);
    return null;
  }

  /** Whether a delta has to be read for a closing tag or the end of the answer. */
  private mayEnd(delta: string): boolean {
    if (this.end !== '') return MAY_BEGIN_TAG.test(delta);
    return this.isWatching && (MAY_BEGIN_TAG.test(delta) || this.untaggedIn(delta).length > 0);
  }

  /** The ends of reasoning without tags that the text so far may have. */
  private untaggedIn(next: string): string[] {
    if (!this.isWatching) return [];
    // It is read once: the text so far would be copied for each delta.
    if (this.untagged !== null) return this.untagged;
    const beginning = lowerCase(this.beginning + next.slice(0, BEGINNING));
    const ends = UNTAGGED.filter(([begin]) => begin.test(beginning)).map(([, close]) => close);
    if (this.beginning.length >= BEGINNING) this.untagged = ends;
    return ends;
  }

  /** Whether a closing tag may still turn the text into reasoning. */
  private get isWatching(): boolean {
    return !this.hasTags && !this.hasReasoning && this.closings < MAX_CLOSINGS && this.judged < MAX_JUDGED;
  }

  /** What is held back at the end of the answer: in reasoning it is white space or the beginning of the closing tag. */
  private flush(): ProviderEvent[] {
    const { held, state } = this;
    this.held = '';
    if (state === 'reasoning' || (this.end !== '' && lowerCase(held.trim()) === this.end)) return [];
    return this.text(state === 'start' && this.hasTags ? held.trimStart() : held);
  }

  private text(text: string): TextEvent[] {
    if (text === '') return [];
    if (this.isWatching) this.said += text;
    if (this.beginning.length < BEGINNING) this.beginning += text.slice(0, BEGINNING);
    return [{ type: 'text-delta', text }];
  }

  /** Some servers send the reasoning both by itself and between tags. That of one delta is one event. */
  private addReasoning(text: string, events: ProviderEvent[]): void {
    if (text === '' || this.hasReasoning) return;
    const separator = !this.isBegun && this.wroteReasoning ? '\n\n' : '';
    this.isBegun = true;
    this.wroteReasoning = true;
    const last = events.at(-1);
    if (last?.type === 'reasoning-delta') last.text += separator + text;
    else events.push({ type: 'reasoning-delta', text: separator + text });
  }
}

/** A listener whose answers have the reasoning between tags apart from their text, and no stop token at their end. */
export function separatingReasoning(onEvents: ProviderEventListener): ProviderEventListener {
  const tags = new ReasoningTags();
  const tokens = new StopTokens();
  return (events) => {
    const separated = tags.push(tokens.push(events));
    if (separated.length > 0) onEvents(separated);
  };
}

/** In lower case as far as tags have letters. The length stays: `toLowerCase` makes two characters of the Turkish İ. */
const lowerCase = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Whether a text, in lower case, is the beginning of one of the tags. */
const startsTag = (text: string, tags: readonly string[]): boolean => tags.some((tag) => tag.startsWith(text));

/**
 * Number of characters at the end of a text that are the beginning of a tag.
 * @param areWords whether tags may begin with a letter
 */
function endingIn(text: string, tags: readonly string[], areWords = false): number {
  const longest = Math.max(...tags.map((tag) => tag.length)) - 1;
  const end = lowerCase(text.slice(-longest));
  for (let from = areWords ? 0 : end.search(MAY_BEGIN_TAG); from !== -1 && from < end.length; from += 1)
    if (startsTag(end.slice(from), tags)) return end.length - from;
  return 0;
}

/** Whether a closing tag without an opening one, after this text, ends reasoning: it is neither quoted nor code. */
function endsReasoning(text: string): boolean {
  if (OPENING_OR_XML.test(text)) return false;
  const line = text.slice(text.lastIndexOf('\n') + 1);
  if (line.trim() !== '' && SPEAKS_OF_TAG.test(line)) return false;
  return !isInCode(text);
}

/** Whether words after this text are quoted or code. */
const isQuoted = (text: string): boolean => QUOTES.test(text) || isInCode(text);

/** Whether the end of a text in Markdown is inside a fenced block or a code span of its last line. */
function isInCode(text: string): boolean {
  let fence = '';
  for (const [, mark = '', info = ''] of text.matchAll(/^[ \t>*+-]*(`{3,}|~{3,})([^`~\n].*)?$/gm)) {
    if (fence === '') fence = info.includes('`') ? '' : mark;
    else if (mark.startsWith(fence) && info.trim() === '') fence = '';
  }
  if (fence !== '') return true;
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return (line.match(/`+/g) ?? []).length % 2 === 1;
}
