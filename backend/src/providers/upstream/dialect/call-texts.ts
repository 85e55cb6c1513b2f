import { type Fields, isFields } from '../../../platform/json/fields.js';
import { EVENT_JSON, parseWithin } from '../../../platform/json/json-scan.js';
import { repairedJson } from '../../../platform/json/repaired-json.js';
import type { ProviderTool } from '../../provider.js';
import { ValueEnd } from '../../../platform/json/value-end.js';

/** A call that a model wrote into its text. */
export interface WrittenCall {
  name: string;
  args: Fields;
}

/** With which the calls of a text begin: a token of the model that its server does not read. */
export const CALL_OPENINGS: readonly string[] = [
  // Qwen, Hermes, GLM.
  '<tool_call>',
  // Llama, Qwen Coder.
  '<|python_tag|>',
  '<function=',
  // Mistral.
  '[TOOL_CALLS]',
  // Kimi.
  '<|tool_calls_section_begin|>',
  '<|tool_call_begin|>',
  // DeepSeek, in three versions.
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
  '<｜DSML｜function_calls>',
  // Claude's form, and MiniMax.
  '<function_calls>',
  '<invoke name=',
  '<minimax:tool_call>',
];

/** What stands between calls: tokens, commas and brackets of a list. */
const BETWEEN =
  /(?:\s|[,;\]]|\[(?=\s{0,100}\{)|<\/?(?:tool_call|minimax:tool_call|(?:｜DSML｜)?function_calls)>|<\|tool_calls?_(?:section_)?(?:begin|end)\|>|<｜tool▁calls?▁(?:begin|end)｜>|<\|(?:python_tag|eom_id|eot_id|im_end|call|end)\|>|<\/s>|\[TOOL_CALLS\]|function<｜tool▁sep｜>|```(?:json)?)+/y;
const OPEN_TAG = /<(?:｜DSML｜)?(?:function=|invoke\s{1,9}name=)"?([\w.:-]{1,128})"?\s{0,9}>\s*/y;
const CLOSE_TAG = /\s*<\/(?:｜DSML｜)?(?:function|invoke)>/y;
const OPEN_PARAMETER = /\s*<(?:｜DSML｜)?parameter(?:=|\s{1,9}name=)"?([\w.:-]{1,128})"?(?:\s[^<>]{0,60})?>/y;
const CLOSE_PARAMETER = /<\/(?:｜DSML｜)?parameter>/g;
const KEY = /\s*<arg_key>([\w.:-]{1,128})<\/arg_key>\s*<arg_value>/y;
const CLOSE_VALUE = /<\/arg_value>/g;
/** A name before its arguments, and the token between them. */
const NAME =
  /(?:functions\.)?([\w.-]{1,128})(?::\d{1,4})?\s{0,9}(?:<\|tool_call_argument_begin\|>|<｜tool▁sep｜>|\[ARGS\])?\s{0,9}(?:```json\s{0,9})?(?=\{|<arg_key>|<\/tool_call>)/y;

/** Calls of one answer, and values that stand one by one: each of those that are no JSON takes 15 µs. */
const MOST_CALLS = 128;
const MOST_VALUES = 500;

const ARGUMENTS = ['arguments', 'parameters', 'args', 'input'] as const;
/** Fields of an object that calls without arguments. */
const WITHOUT_ARGUMENTS = ['name', 'id', 'type'];
const NAME_IN_OBJECT = /\{\s*["']name["']\s*:\s*["']([^"']{1,128})["']/y;

/** Characters at the end of a text that may be the beginning of a call, whatever they are. */
const TAIL = 200;

/** Reads a text from its beginning to its end. Each step goes on where the one before ended. */
class CallText {
  private at = 0;
  /** Number of values that were read one by one. */
  private values = 0;
  /** Whether the text ends within a value, and whether it has a call of another tool. */
  private isOpen = false;
  private isOfOther = false;
  private readonly tools: ReadonlyMap<string, ProviderTool>;

  constructor(
    private readonly text: string,
    tools: readonly ProviderTool[],
    private readonly readsValues = true,
  ) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  calls(): WrittenCall[] {
    const calls: WrittenCall[] = [];
    for (;;) {
      this.take(BETWEEN);
      if (this.at === this.text.length) return calls;
      const call = calls.length === MOST_CALLS ? null : this.call();
      if (call === null) return [];
      calls.push(call);
    }
  }

  /** Whether the text may become calls with what follows it, once those in it have been read. */
  get mayGoOn(): boolean {
    return !this.isOfOther && (this.isOpen || this.text.length - this.at <= TAIL);
  }

  private call(): WrittenCall | null {
    const tag = this.take(OPEN_TAG);
    const name = tag ?? this.take(NAME);
    if (name === null) return this.callInObject();
    if (!this.isOffered(name)) return null;
    const [open, close] = tag === null ? [KEY, CLOSE_VALUE] : [OPEN_PARAMETER, CLOSE_PARAMETER];
    const args = this.object() ?? this.fields(name, open, close);
    return args !== null && (tag === null || this.take(CLOSE_TAG) !== null) ? { name, args } : null;
  }

  private callInObject(): WrittenCall | null {
    NAME_IN_OBJECT.lastIndex = this.at;
    const [, first] = NAME_IN_OBJECT.exec(this.text) ?? [];
    if (first !== undefined && !this.isOffered(first)) return null;
    const object = this.object();
    const name = object?.['name'];
    if (object === null || typeof name !== 'string' || !this.isOffered(name)) return null;
    const field = ARGUMENTS.find((each) => object[each] !== undefined);
    // Arguments that stand beside the name are not guessed.
    if (field === undefined && Object.keys(object).some((key) => !WITHOUT_ARGUMENTS.includes(key))) return null;
    const given = field === undefined ? {} : object[field];
    const args = typeof given === 'string' ? parsed(given) : (given ?? {});
    return isFields(args) && !this.hasArgumentBeside(name, args, object) ? { name, args } : null;
  }

  /** Whether an argument stands beside the others, where it would be lost. */
  private hasArgumentBeside(name: string, args: Fields, object: Fields): boolean {
    const beside = Object.keys(object).filter((key) => !WITHOUT_ARGUMENTS.includes(key) && !(key in args));
    return beside.some((key) => this.parameterOf(name, key) !== undefined && !ARGUMENTS.some((each) => each === key));
  }

  private parameterOf(name: string, key: string): unknown {
    const properties = this.tools.get(name)?.parameters?.['properties'];
    return isFields(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  }

  private isOffered(name: string): boolean {
    this.isOfOther ||= !this.tools.has(name);
    return this.tools.has(name);
  }

  /** The object that stands here. */
  private object(): Fields | null {
    if (this.text[this.at] !== '{') return null;
    const end = new ValueEnd();
    const rest = this.text.slice(this.at);
    const length = end.lengthIn(rest);
    if (!end.hasEnded) this.isOpen = /^\{\s*(?:["']|$)/.test(rest);
    const value = end.hasEnded ? parsed(rest.slice(0, length)) : null;
    if (!isFields(value)) return null;
    this.at += length;
    return value;
  }

  /** Arguments that stand one by one, as texts between tags. */
  private fields(name: string, open: RegExp, close: RegExp): Fields | null {
    const args: [string, unknown][] = [];
    for (let key = this.take(open); key !== null; key = this.take(open)) {
      close.lastIndex = this.at;
      const end = close.exec(this.text);
      this.isOpen = end === null;
      this.values += 1;
      if (end === null || this.values > MOST_VALUES) return null;
      if (this.readsValues) args.push([key, this.valueOf(name, key, this.text.slice(this.at, end.index))]);
      this.at = close.lastIndex;
    }
    return Object.fromEntries(args);
  }

  /** A value of the type of its parameter: a text is told from other JSON by its schema alone. */
  private valueOf(name: string, key: string, written: string): unknown {
    const text = written.replace(/^\n/, '').replace(/\n$/, '');
    const schema = this.parameterOf(name, key);
    if (isFields(schema) && schema['type'] === 'string') return text;
    const value = parsed(text);
    return value === undefined ? text : value;
  }

  /** Goes on behind what stands here. @returns its name, or all of it; null where it is something else */
  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at = pattern.lastIndex;
    return found[1] ?? found[0];
  }
}

/** The value of some JSON, or of what is close to it; undefined for anything else. */
function parsed(json: string): unknown {
  for (const each of [json, repairedJson(json)])
    try {
      return parseWithin(each, EVENT_JSON);
    } catch {
      // The next one is tried.
    }
  return undefined;
}

/**
 * The calls that a text is made of, of these tools; none of a text that is anything else besides. A lone fence is the end of a
 * block of code that began before: the text is an example.
 */
export function callsInText(text: string, tools: readonly ProviderTool[]): WrittenCall[] {
  const fences = text.match(/```/g)?.length ?? 0;
  return fences % 2 === 0 ? new CallText(text, tools).calls() : [];
}

/** Whether the beginning of a text may become calls of these tools, and nothing else. */
export function mayBeCalls(beginning: string, tools: readonly ProviderTool[]): boolean {
  const text = new CallText(beginning, tools, false);
  text.calls();
  return text.mayGoOn;
}
