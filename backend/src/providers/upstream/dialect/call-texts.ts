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

/** Reads a text from its beginning to its end. Each step goes on where the one before ended. */
class CallText {
  private at = 0;
  /** Number of values that were read one by one. */
  private values = 0;
  private readonly tools: ReadonlyMap<string, ProviderTool>;

  constructor(
    private readonly text: string,
    tools: readonly ProviderTool[],
  ) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  calls(): WrittenCall[] {
    const calls: WrittenCall[] = [];
    for (;;) {
      this.take(BETWEEN);
      if (this.at === this.text.length) return calls;
      const call = this.call();
      if (call === null || !this.tools.has(call.name) || calls.length === MOST_CALLS) return [];
      calls.push(call);
    }
  }

  private call(): WrittenCall | null {
    const tag = this.take(OPEN_TAG);
    if (tag !== null) {
      const args = this.object() ?? this.fields(tag, OPEN_PARAMETER, CLOSE_PARAMETER);
      return args !== null && this.take(CLOSE_TAG) !== null ? { name: tag, args } : null;
    }
    const name = this.take(NAME);
    if (name !== null) {
      const args = this.object() ?? this.fields(name, KEY, CLOSE_VALUE);
      return args && { name, args };
    }
    const object = this.object();
    const given = ARGUMENTS.map((field) => object?.[field]).find((each) => each !== undefined);
    const args = typeof given === 'string' ? parsed(given) : (given ?? {});
    return typeof object?.['name'] === 'string' && isFields(args) ? { name: object['name'], args } : null;
  }

  /** The object that stands here. */
  private object(): Fields | null {
    if (this.text[this.at] !== '{') return null;
    const end = new ValueEnd();
    const length = end.lengthIn(this.text.slice(this.at));
    const value = end.hasEnded ? parsed(this.text.slice(this.at, this.at + length)) : null;
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
      this.values += 1;
      if (end === null || this.values > MOST_VALUES) return null;
      args.push([key, this.valueOf(name, key, this.text.slice(this.at, end.index))]);
      this.at = close.lastIndex;
    }
    return Object.fromEntries(args);
  }

  /** A value of the type of its parameter: a text is told from other JSON by its schema alone. */
  private valueOf(name: string, key: string, written: string): unknown {
    const text = written.replace(/^\n/, '').replace(/\n$/, '');
    const properties = this.tools.get(name)?.parameters?.['properties'];
    const schema = isFields(properties) ? properties[key] : undefined;
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
      // Judged below.
    }
  return undefined;
}

/** The calls that a text is made of, of these tools; none of a text that is anything else besides. */
export const callsInText = (text: string, tools: readonly ProviderTool[]): WrittenCall[] =>
  new CallText(text, tools).calls();
