import { API_LIMITS, type FunctionTool, LIMITS } from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';
import { presentFields } from '../../platform/http/present-fields.js';
import { sha256Hex } from '../../platform/secrets/sha256.js';
import type { NamespaceFunctionDto, ResponseToolDto } from './response-request.dto.js';

/** A function as the client names it. */
export interface FunctionName {
  name: string;
  /** The group of tools that it belongs to; absent for a function of its own. */
  namespace?: string;
}

const SEPARATOR = '__';
const HASH_CHARACTERS = 8;

/** The name of a function at the provider, whose chat completions have no namespaces. */
export function upstreamName({ name, namespace }: FunctionName): string {
  if (namespace === undefined) return name;
  const whole = `${namespace}${SEPARATOR}${name}`;
  if (whole.length <= LIMITS.toolName.max) return whole;
  const hash = sha256Hex(whole).slice(0, HASH_CHARACTERS);
  return `${whole.slice(0, LIMITS.toolName.max - HASH_CHARACTERS - 1)}_${hash}`;
}

/** The functions of a request, with those of its namespaces. @throws AppError `invalid` for too many, or a name twice */
export function upstreamTools(tools: readonly ResponseToolDto[]): FunctionTool[] {
  const all = tools.flatMap(functionsOf);
  if (all.length > API_LIMITS.tools)
    throw invalidField('tools', `tools must have at most ${API_LIMITS.tools} functions, with those of namespaces`);
  const names = new Set<string>();
  for (const { function: own } of all) {
    if (names.has(own.name)) throw invalidField('tools', `tools must not have the function ${own.name} twice`);
    names.add(own.name);
  }
  return all;
}

function functionsOf(tool: ResponseToolDto): FunctionTool[] {
  if (tool.type === 'function') return [toFunction(tool, {})];
  return (tool.tools ?? []).map((each) => toFunction(each, { namespace: tool.name, group: tool.description }));
}

function toFunction(
  { name, description, parameters, strict }: NamespaceFunctionDto | ResponseToolDto,
  { namespace, group }: { namespace?: string; group?: string },
): FunctionTool {
  const text = [group, description].filter(Boolean).join('\n');
  const fields = presentFields({ description: text === '' ? undefined : text, parameters, strict });
  return { type: 'function', function: { name: upstreamName({ name, namespace }), ...fields } };
}

/** The client's names of the functions in namespaces, by their names at the provider. */
export class ToolNames {
  private readonly names = new Map<string, FunctionName>();

  /** @param tools of a request, as its response repeats them */
  constructor(tools: readonly unknown[]) {
    for (const tool of tools) {
      const { type, name: namespace, tools: inner = [] } = tool as Partial<ResponseToolDto>;
      if (type !== 'namespace' || namespace === undefined) continue;
      for (const { name } of inner) this.names.set(upstreamName({ name, namespace }), { name, namespace });
    }
  }

  /** The client's name of a function that the model called; any other name stays. */
  of(name: string): FunctionName {
    return this.names.get(name) ?? { name };
  }
}
