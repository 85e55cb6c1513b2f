import { API_LIMITS, type FunctionTool } from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';
import { isFields } from '../../platform/json/fields.js';
import { presentFields } from '../../platform/http/present-fields.js';
import { shortName, tooLongTools } from '../answers/chat-parameters.js';
import type { NamespacedToolDto, ResponseToolDto } from './response-request.dto.js';

export interface FunctionName {
  name: string;
  /** The group of tools that it belongs to; absent for a function of its own. */
  namespace?: string;
}

/** A tool as the client names it. A `custom` one takes a text of any form. */
export interface ToolName extends FunctionName {
  kind: 'function' | 'custom' | 'tool_search';
  /** Whether the client expects arguments that OpenAI has encrypted. */
  isEncrypted?: true;
}

const SEPARATOR = '__';

/** The name at the provider of a client's search for tools, which has no name of its own. */
export const TOOL_SEARCH = 'tool_search';

/** The parameters of a function that stands for a custom tool: the model writes its text into `input`. */
const CUSTOM_PARAMETERS = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text' } },
  required: ['input'],
  additionalProperties: false,
};

/** The name of a function at the provider, whose chat completions have no namespaces and shorter names. */
export function upstreamName({ name, namespace }: FunctionName): string {
  return shortName(namespace === undefined ? name : `${namespace}${SEPARATOR}${name}`);
}

/** A tool that becomes one function. */
interface OneTool {
  tool: NamespacedToolDto | ResponseToolDto;
  namespace?: string;
  /** The description of the namespace. */
  group?: string;
}

/** The tools of a request as functions, with those of its namespaces. @throws AppError `invalid` for too many, or a name twice */
export function upstreamTools(tools: readonly ResponseToolDto[]): FunctionTool[] {
  const all = tools.flatMap(toolsOf);
  if (all.length > API_LIMITS.tools)
    throw invalidField('tools', `tools must have at most ${API_LIMITS.tools} functions, with those of namespaces`);
  const names = new Set<string>();
  let left: number = API_LIMITS.toolsCharacters;
  return all.map((one) => {
    const texts = textsOf(one);
    // Each tool gets the text of its namespace, so a short request can have long functions.
    left -= texts.reduce((sum, text) => sum + text.length, 0);
    if (left < 0) throw tooLongTools();
    const name = upstreamName({ name: one.tool.name, namespace: one.namespace });
    if (names.has(name)) throw invalidField('tools', `tools must not have the function ${name} twice`);
    names.add(name);
    return toFunction(one.tool, name, texts.join('\n') || undefined);
  });
}

function toolsOf(tool: ResponseToolDto): OneTool[] {
  if (tool.type !== 'namespace') return [{ tool }];
  return (tool.tools ?? []).map((each) => ({ tool: each, namespace: tool.name, group: tool.description }));
}

const textsOf = ({ tool, group }: OneTool): string[] =>
  [group, tool.description, ...grammarOf(tool)].flatMap((text) => (text ? [text] : []));

function toFunction(tool: OneTool['tool'], name: string, description: string | undefined): FunctionTool {
  const { parameters, strict } = tool;
  const fields = tool.type === 'custom' ? { parameters: CUSTOM_PARAMETERS } : { parameters, strict };
  return { type: 'function', function: { name, ...presentFields({ description, ...fields }) } };
}

/** Providers hold no function to a grammar, so the model reads it. */
function grammarOf({ format }: Pick<NamespacedToolDto, 'format'>): string[] {
  if (format?.definition === undefined) return [];
  return [`The input follows this grammar (${format.syntax ?? 'lark'}):`, format.definition];
}

/** A mark of OpenAI's in the schema of a function: it encrypts such arguments between the agents of a client. */
function areEncrypted({ parameters }: Partial<NamespacedToolDto>): boolean {
  const properties = parameters?.['properties'];
  return isFields(properties) && Object.values(properties).some((each) => isFields(each) && each['encrypted'] === true);
}

const nameOf = (tool: Partial<NamespacedToolDto>, name: ToolName): ToolName =>
  areEncrypted(tool) ? { ...name, isEncrypted: true } : name;

/** The client's names of tools, by their names at the provider. */
export class ToolNames {
  private readonly names = new Map<string, ToolName>();

  /** @param tools of a request, as its response repeats them */
  constructor(tools: readonly unknown[]) {
    for (const tool of tools) {
      const { type, name, tools: inner = [] } = tool as Partial<ResponseToolDto>;
      if (type === 'tool_search') this.names.set(TOOL_SEARCH, { kind: type, name: TOOL_SEARCH });
      if (name === undefined) continue;
      if (type === 'custom' || type === 'function')
        this.names.set(upstreamName({ name }), nameOf(tool as object, { kind: type, name }));
      if (type !== 'namespace') continue;
      for (const each of inner) {
        const own = { kind: each.type, name: each.name, namespace: name };
        this.names.set(upstreamName(own), nameOf(each, own));
      }
    }
  }

  /** The client's name of a tool that the model called; any other name is that of a function. */
  clientNameOf(name: string): ToolName {
    return this.names.get(name) ?? { kind: 'function', name };
  }
}
