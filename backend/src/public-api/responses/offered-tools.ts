import { API_LIMITS } from '@tanya/contract';
import { type Fields, isFields } from '../../platform/json/fields.js';
import { TOOL_SEARCH } from './response-tools.js';

/** Items of an input that name further tools: Codex gives some models all of its tools so, and adds those that it found. */
const ADDING = new Set<unknown>(['additional_tools', 'tool_search_output']);

/** Whether an item of an input does nothing but name tools. */
export const onlyAddsTools = (item: unknown): boolean => isFields(item) && item['type'] === 'additional_tools';

/**
 * A search of the web by OpenAI, in each version, and its pictures, which Codex adds to all requests. The model may use them,
 * and this server has none for programs.
 */
const runsAtOpenAi = (tool: unknown): boolean =>
  isFields(tool) && typeof tool['type'] === 'string' && /^(web_search(_|$)|image_generation$)/.test(tool['type']);

/**
 * A body whose `tools` are those that the model is offered: with the tools that its input names, and without what
 * OpenAI runs itself beside other tools. A search that is alone stays, and is refused by its name.
 */
export function withResponseTools(body: Fields): Fields {
  const { tools, input } = body;
  if (tools !== undefined && tools !== null && !Array.isArray(tools)) return body;
  const given: unknown[] = (tools ?? []).map(flat);
  const added = Array.isArray(input) && input.length <= API_LIMITS.inputItems ? input.flatMap(toolsIn) : [];
  // Validation refuses a list that is too long, whatever else it has.
  if (given.length > API_LIMITS.tools || (given.length === 0 && added.length === 0)) return body;
  const offered = new ToolList(given.filter((tool) => !runsAtOpenAi(tool)));
  for (const tool of added) if (!runsAtOpenAi(tool)) offered.add(tool);
  const choice = body['tool_choice'];
  return {
    ...body,
    ...(isFields(choice) && { tool_choice: flat(choice) }),
    tools: (offered.tools.length > 0 ? offered.tools : someOf([...given, ...added])).map(named),
  };
}

/** A function, or the choice of one, whose fields stand in `function`, as those of chat completions. */
function flat(tool: unknown): unknown {
  if (!isFields(tool) || !isFields(tool['function']) || tool['name'] !== undefined) return tool;
  const { function: called, ...fields } = tool;
  return { ...called, ...fields, type: 'function' };
}

/** As many as show that there are too many. */
const someOf = (tools: readonly unknown[]): unknown[] => tools.slice(0, API_LIMITS.tools + 1);

function toolsIn(item: unknown): unknown[] {
  return isFields(item) && ADDING.has(item['type']) && Array.isArray(item['tools']) ? item['tools'] : [];
}

/**
 * Tools that are found by their names. A conversation names those that it found again and again, so each is looked up once
 * however many there are before it.
 */
class ToolList {
  private readonly places: Map<unknown, number>;
  /** The tools of namespaces that got further ones, by the places of these. */
  private readonly grown = new Map<number, ToolList>();

  constructor(readonly tools: unknown[]) {
    this.places = new Map(tools.map((tool, index) => [keyOf(tool), index]));
  }

  /** A tool that is added again replaces the earlier one; a namespace gets the further tools. */
  add(tool: unknown): void {
    const key = keyOf(tool);
    const place = this.places.get(key);
    if (place !== undefined) this.tools[place] = this.merged(place, tool as Fields);
    else if (this.tools.length <= API_LIMITS.tools) this.places.set(key, this.tools.push(tool) - 1);
  }

  private merged(place: number, later: Fields): Fields {
    const [before, further] = [(this.tools[place] as Fields)['tools'], later['tools']];
    if (later['type'] !== 'namespace' || !Array.isArray(before) || !Array.isArray(further)) return later;
    const known = this.grown.get(place);
    const list = known?.tools === before ? known : new ToolList(someOf(before));
    this.grown.set(place, list);
    for (const tool of further) list.add(tool);
    return { ...later, tools: list.tools };
  }
}

/** A tool without a name that it may have is never the same as another one. */
function keyOf(tool: unknown): unknown {
  const { type, name } = isFields(tool) ? (named(tool) as Fields) : {};
  const isNamed = typeof name === 'string' && name.length <= API_LIMITS.functionName;
  return isNamed ? `${type === 'namespace' ? 'namespace' : 'tool'} ${name}` : {};
}

const named = (tool: unknown): unknown =>
  isFields(tool) && tool['type'] === TOOL_SEARCH ? { ...tool, name: TOOL_SEARCH } : tool;
