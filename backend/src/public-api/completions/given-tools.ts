import { API_LIMITS } from '@tanya/contract';
import { isFields, type Fields } from '../../platform/json/fields.js';

const isFunctionType = (type: unknown): boolean => type === undefined || type === null || type === 'function';

/** Choices in the words of other APIs: those of Mistral and Anthropic. */
const MODES: Readonly<Record<string, string>> = { auto: 'auto', none: 'none', any: 'required', required: 'required' };

/**
 * A body with its functions, and the choice of one, in the form of chat completions. Cursor and some gateways send those of
 * Responses, whose fields stand beside the type, or of Anthropic's messages.
 */
export function withFunctionTools(body: Fields): Fields {
  const { tools, tool_choice: choice } = body;
  const isList = Array.isArray(tools) && tools.length <= API_LIMITS.tools;
  return {
    ...body,
    ...(isList && { tools: tools.map(toFunctionTool) }),
    ...((isFields(choice) || choice === 'any') && { tool_choice: toChoice(choice) }),
  };
}

function toFunctionTool(tool: unknown): unknown {
  if (!isFields(tool) || 'custom' in tool) return tool;
  const { type, function: called, name, description, parameters, input_schema: schema, strict } = tool;
  if (isFields(called)) return type === undefined ? { ...tool, type: 'function' } : tool;
  if (typeof name !== 'string' || !(isFunctionType(type) || isFields(schema))) return tool;
  return { type: 'function', function: { name, description, parameters: parameters ?? schema, strict } };
}

function toChoice(choice: unknown): unknown {
  if (!isFields(choice)) return MODES[String(choice)];
  const { type, name, function: called } = choice;
  if ((type === 'function' || type === 'tool') && typeof name === 'string' && called === undefined)
    return { type: 'function', function: { name } };
  return typeof type === 'string' && Object.hasOwn(MODES, type) ? MODES[type] : choice;
}
