import { API_LIMITS, LIMITS } from '@tanya/contract';
import { isFields } from '../../platform/http/input-sizes.js';
import { TOOL_SEARCH } from './response-tools.js';

type Fields = Record<string, unknown>;

/** Items of an input that name further tools: Codex gives some models all of its tools so, and adds those that it found. */
const ADDING = new Set<unknown>(['additional_tools', 'tool_search_output']);

/** Whether an item of an input does nothing but name tools. */
export const onlyAddsTools = (item: unknown): boolean => isFields(item) && item['type'] === 'additional_tools';

/** A search of the web by OpenAI, in each version. The model may use it, and this server has none for programs. */
const isWebSearch = (tool: unknown): boolean =>
  isFields(tool) && typeof tool['type'] === 'string' && /^web_search(_|$)/.test(tool['type']);

/**
 * A body whose `tools` are those that the model is offered: with the tools that its input names, and without a search of the
 * web beside other tools. A search that is alone stays, and is refused by its name.
 */
export function withOfferedTools(body: Fields): Fields {
  const { tools, input } = body;
  if (tools !== undefined && tools !== null && !Array.isArray(tools)) return body;
  const given: unknown[] = tools ?? [];
  const added = Array.isArray(input) && input.length <= API_LIMITS.inputItems ? input.flatMap(toolsIn) : [];
  // Validation refuses a list that is too long, whatever else it has.
  if (given.length > API_LIMITS.tools || (given.length === 0 && added.length === 0)) return body;
  const all = withAdded(given, someOf(added));
  const others = all.filter((tool) => !isWebSearch(tool));
  return { ...body, tools: (others.length > 0 ? others : all).map(named) };
}

/** As many as show that there are too many. */
const someOf = (tools: readonly unknown[]): unknown[] => tools.slice(0, API_LIMITS.tools + 1);

function toolsIn(item: unknown): unknown[] {
  if (!isFields(item) || !ADDING.has(item['type']) || !Array.isArray(item['tools'])) return [];
  return someOf(item['tools']);
}

/** A tool that is added again replaces the earlier one; a namespace gets the further tools. */
function withAdded(given: readonly unknown[], added: readonly unknown[]): unknown[] {
  const all = [...given];
  const places = new Map(all.map((tool, index) => [keyOf(tool), index]));
  for (const tool of added) {
    const place = places.get(keyOf(tool));
    if (place === undefined) places.set(keyOf(tool), all.push(tool) - 1);
    else all[place] = merged(all[place] as Fields, tool as Fields);
  }
  return all;
}

/** A tool without a name that it may have is never the same as another one. */
function keyOf(tool: unknown): unknown {
  const { type, name } = isFields(tool) ? tool : {};
  const isNamed = typeof name === 'string' && name.length <= LIMITS.toolName.max;
  return isNamed ? `${type === 'namespace' ? 'namespace' : 'tool'} ${name}` : {};
}

function merged(earlier: Fields, later: Fields): Fields {
  const [before, further] = [earlier['tools'], later['tools']];
  if (later['type'] !== 'namespace' || !Array.isArray(before) || !Array.isArray(further)) return later;
  return { ...later, tools: someOf(withAdded(someOf(before), someOf(further))) };
}

const named = (tool: unknown): unknown =>
  isFields(tool) && tool['type'] === TOOL_SEARCH ? { ...tool, name: TOOL_SEARCH } : tool;
