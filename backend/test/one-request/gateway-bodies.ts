import { PROGRAM_JSON } from '../../src/platform/json/json-scan.js';
import { distinctName, entries, type WorstBody, worstValues } from './worst-bodies.js';
import { repeated, texts } from './worst-texts.js';

const MODEL = '"model":"openai/gpt-4o-mini"';
const HELLO = '{"role":"user","content":"Hello"}';

const { values: VALUES } = PROGRAM_JSON;

type Parts = Record<string, (room: number) => string>;

const list =
  (entry: (index: number) => string, most = Infinity) =>
  (room: number) =>
    `[${entries(entry, room - 2, most)}]`;
const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const call = (index: number, text = '{}') =>
  `{"id":"c${index}","type":"function","function":{"name":"f","arguments":${JSON.stringify(text)}}}`;
const schemaOf = (properties: string) => `{"type":"object","properties":${properties}}`;
const tool = (name: string, parameters: string) =>
  `{"type":"function","function":{"name":"${name}","parameters":${parameters}}}`;
const image = (room: number) => `data:image/png;base64,${repeated('QUJD')(room)}`;

/** Base64 of Japanese letters: texts cost more than bytes. */
const file = (characters: number) =>
  `{"type":"file","file":{"filename":"a.txt","file_data":"${repeated('5pel')(characters)}"}}`;

/** Worst values of the field that holds the conversation of a completion. */
const MESSAGES: Parts = {
  'messages of {} up to the bound': list(() => '{}'),
  'messages of 1 up to the bound': list(() => '1'),
  '2,000 messages': list(() => HELLO, 2_000),
  '2,001 messages': list(() => HELLO, 2_001),
  '100,000 messages': list(() => HELLO, 100_000),
  '2,000 messages that fill the bound': (room) =>
    list(() => `{"role":"user","content":"${'a'.repeat(room / 2_000 - 40)}"}`, 2_000)(room),
  'one message of letters': (room) => `[{"role":"user","content":"${texts.letters!(room - 40)}"}]`,
  'one message by a name that fills the bound': (room) =>
    `[{"role":"user","content":"a","name":"${repeated('a b ')(room - 60)}"}]`,
  'one message in Japanese': (room) => `[{"role":"user","content":"${texts['Japanese letters']!(room - 40)}"}]`,
  'one message of escaped zeros': (room) => `[{"role":"user","content":"${texts['escaped zeros']!(room - 40)}"}]`,
  'one message of escaped quotes': (room) => `[{"role":"user","content":"${texts['escaped quotes']!(room - 40)}"}]`,
  'one message of unpaired surrogates': (room) =>
    `[{"role":"user","content":"${texts['unpaired surrogates']!(room - 40)}"}]`,
  'parts of {} in one message': (room) => `[{"role":"user","content":${list(() => '{}')(room - 40)}}]`,
  'parts of text in one message': (room) =>
    `[{"role":"user","content":${list(() => '{"type":"text","text":"a"}', VALUES / 3 - 10)(room - 40)}}]`,
  'pictures that fill the bound': (room) =>
    `[{"role":"user","content":[{"type":"image_url","image_url":{"url":"${image(room - 120)}"}}]}]`,
  '20 pictures that fill the bound': (room) =>
    `[{"role":"user","content":${list(() => `{"type":"image_url","image_url":{"url":"${image(room / 20 - 120)}"}}`, 20)(room)}}]`,
  'a picture that is escaped throughout': (room) =>
    `[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,${repeated('\\u0041')(room - 120)}"}}]}]`,
  'a file of 10 MB': () => `[{"role":"user","content":[${file(13_900_000)}]}]`,
  'a file beyond its bound': (room) => `[{"role":"user","content":[${file(room - 120)}]}]`,
  'calls of {} in one message': (room) => `[${HELLO},{"role":"assistant","tool_calls":${list(() => '{}')(room - 99)}}]`,
  '128 calls whose arguments are 200,000 characters of JSON': (room) =>
    `[${HELLO},{"role":"assistant","tool_calls":${list((index) => call(index, `[${entries(() => '1', 199_990)}]`), 128)(room - 99)}}]`,
  'arguments of a call of 10,000 lists in one another': () =>
    `[${HELLO},{"role":"assistant","tool_calls":[${call(1, '['.repeat(10_000) + ']'.repeat(10_000))}]}]`,
  'reasoning details of {}': (room) =>
    `[${HELLO},{"role":"assistant","content":"a","reasoning_details":${list(() => '{}')(room - 99)}}]`,
  'reasoning details of depth 60': () =>
    `[${HELLO},{"role":"assistant","content":"a","reasoning_details":[${entries(() => deep(59), 900_000)}]}]`,
};

/** Worst values of the other fields of a completion. */
const SETTINGS: Parts = {
  '"logit_bias" with 60,000 entries': (room) => `"logit_bias":{${entries((index) => `"${index}":1`, room, 60_000)}}`,
  '"logit_bias" up to the bound of values': (room) =>
    `"logit_bias":{${entries((index) => `"${index}":1`, room, VALUES - 9)}}`,
  '"stop" of distinct texts': (room) => `"stop":[${entries((index) => `"${distinctName(index)}"`, room)}]`,
  '"tools" of {}': (room) => `"tools":[${entries(() => '{}', room)}]`,
  '"tools" with distinct names': (room) =>
    `"tools":[${entries((index) => tool(distinctName(index), '{"type":"object"}'), room, VALUES / 7 - 9)}]`,
  '128 "tools" that fill their bound': (room) =>
    `"tools":[${entries((index) => tool(`f${index}`, schemaOf(`{${entries((at) => `"${at}":{"type":"string"}`, 2_900)}}`)), room, 128)}]`,
  'one of "tools" with a schema up to the bound of values': (room) =>
    `"tools":[${tool('f', schemaOf(`{${entries((index) => `"${index}":{}`, room - 99, VALUES - 99)}}`))}]`,
  'one of "tools" with a schema of depth 60': () => `"tools":[${tool('f', schemaOf(deep(50)))}]`,
  'one of "tools" with a schema that requires distinct names': (room) =>
    `"tools":[${tool('f', `{"type":"object","required":[${entries((index) => `"${distinctName(index)}"`, room - 99, VALUES - 99)}]}`)}]`,
  'a "response_format" up to the bound of values': (room) =>
    `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${schemaOf(`{${entries((index) => `"${index}":{}`, room - 199, VALUES - 99)}}`)}}}`,
  '"metadata" of distinct keys': (room) =>
    `"metadata":{${entries((index) => `"${distinctName(index)}":"a"`, room, VALUES - 9)}}`,
  'unknown fields up to the bound of values': (room) => entries((index) => `"k${index}":1`, room, VALUES - 9),
  'a "user" of letters': (room) => `"user":"${texts.letters!(room - 10)}"`,
};

const item = (text: string) => `{"type":"message","role":"user","content":${text}}`;

/** Worst values of the input of a response. */
const INPUT: Parts = {
  'input of letters': (room) => `"${texts.letters!(room - 2)}"`,
  'input of escaped zeros': (room) => `"${texts['escaped zeros']!(room - 2)}"`,
  'items of {}': list(() => '{}'),
  '100,000 items': list(() => item('"a"'), 100_000),
  'items without bound of their number': list(() => '{"type":"reasoning","summary":[]}', VALUES / 3 - 9),
  '100,000 references': list((index) => `{"type":"item_reference","id":"msg_${index}"}`, VALUES / 3 - 9),
  'one item with parts': (room) =>
    `[${item(list(() => '{"type":"input_text","text":"a"}', VALUES / 3 - 9)(room - 99))}]`,
  'one item with a picture': (room) => `[${item(`[{"type":"input_image","image_url":"${image(room - 200)}"}]`)}]`,
  'a call whose arguments are JSON': (room) =>
    `[{"type":"function_call","call_id":"c","name":"f","arguments":${JSON.stringify(`[${entries(() => '1', Math.min(room, 800_000))}]`)}}]`,
};

const offered = (index: number) => `{"type":"function","name":"f${index}","description":"a"}`;
const namespace = (index: number, text: string, most = 128) =>
  `{"type":"namespace","name":"n${index}","description":"${text}","tools":${list(offered, most)(VALUES)}}`;

/** Worst tools of a response, which have a form of their own. */
const OFFERED: Parts = {
  '"tools" of namespaces whose texts fill the bound': (room) =>
    `"input":"Hello","tools":[${entries((index) => namespace(index, 'a'.repeat(64_000)), room, 128)}]`,
  'custom "tools" that fill the bound': (room) =>
    `"input":"Hello","tools":[${entries((index) => `{"type":"custom","name":"c${index}","format":{"type":"grammar","definition":"${'a'.repeat(100_000)}"}}`, room, 128)}]`,
  'items that add the same tools again': (room) =>
    `"input":[${entries(() => `{"type":"additional_tools","tools":[${offered(1)},${namespace(1, '', 100)}]}`, room, VALUES / 600)}]`,
};

const EMBEDDED: Parts = {
  'input of letters': (room) => `"${texts.letters!(room - 2)}"`,
  'input of numbers': list(() => '1', VALUES - 9),
  'input of token lists': list(() => '[1]', VALUES / 2 - 9),
  'input of distinct texts': list((index) => `"${distinctName(index)}"`, VALUES - 9),
  '2,048 inputs that fill the bound': (room) => list(() => `"${'a'.repeat(room / 2_048 - 4)}"`, 2_048)(room),
};

const UNKNOWN = [
  ...['numbers', 'empty objects'].map((name) => `a list of ${VALUES.toLocaleString('en')} ${name}`),
  `an object of ${VALUES.toLocaleString('en')} distinct keys`,
  'a text of letters',
  'a text of Japanese letters',
];

/** Inputs that a larger body makes worse; the others reach the bound of values before. */
const IS_LONG = /letters|Japanese|escaped|surrogates|picture|fill the bound/;

/**
 * Bodies of the calls of programs, which may be the largest.
 * @param bytes of the largest
 * @param isWhole every input as a small and as the largest body, or as the worse of the two
 */
export function gatewayBodies(path: string, bytes: number, isWhole: boolean): WorstBody[] {
  const largest = bytes - 100;
  const small = Math.min(largest, 1_000_000);
  const label = (size: number) => (size === small ? '' : `, ${Math.round(size / 2 ** 20)} MB`);
  const build = (head: string, parts: Parts): WorstBody[] =>
    Object.entries(parts).flatMap(([input, part]) => {
      const sizes = isWhole ? new Set([small, largest]) : [IS_LONG.test(input) ? largest : small];
      return [...sizes].map((size) => ({
        input: input + label(size),
        build: () => Buffer.from(`{${MODEL},${head}${part(size)}}`),
      }));
    });
  const anything = worstValues(largest, VALUES);
  const whole = UNKNOWN.map((name) => ({
    input: `${name} in an unknown field${label(largest)}`,
    build: () => Buffer.from(`{"x":${anything[name]!()}}`),
  }));
  if (path.endsWith('/embeddings')) return [...build('"input":', EMBEDDED), ...whole];
  if (path.endsWith('/responses')) {
    return [...build('"input":', INPUT), ...build('"input":"Hello",', SETTINGS), ...build('', OFFERED), ...whole];
  }
  if (/\/(chat|completions|messages)$/.test(path)) {
    return [...build('"messages":', MESSAGES), ...build(`"messages":[${HELLO}],`, SETTINGS), ...whole];
  }
  return [];
}
