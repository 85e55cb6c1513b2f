import { type Fields, isFields } from '../../platform/json/fields.js';

/** Tools of OpenAI that the client runs, each with the field of its calls that says what to do. */
const TOOLS: Readonly<Record<string, string>> = {
  local_shell: 'action',
  shell: 'action',
  apply_patch: 'operation',
  computer: 'action',
};

const KIND = /^(local_shell|shell|apply_patch|computer)_call(_output)?$/;

/**
 * A call of such a tool, or its result, as that of a function of its name: a conversation that began at OpenAI goes on here.
 * @returns null for any other item
 */
export function asFunctionItem(item: Fields): Fields | null {
  const [, tool, isOutput] = (typeof item['type'] === 'string' ? KIND.exec(item['type']) : null) ?? [];
  if (tool === undefined) return null;
  // The result of a local shell names its call by `id`.
  const call_id = item['call_id'] ?? item['id'];
  if (isOutput !== undefined) return { type: 'function_call_output', call_id, output: outputOf(item) };
  const action = item[TOOLS[tool]!] ?? item['actions'];
  const given = isFields(action) ? action : { actions: action ?? [] };
  return { type: 'function_call', call_id, name: tool, arguments: given };
}

function outputOf({ output, status }: Fields): unknown {
  if (isFields(output)) {
    const { image_url: url } = output;
    return typeof url === 'string' ? [{ type: 'input_image', image_url: url }] : String(status ?? 'completed');
  }
  if (!Array.isArray(output)) return output ?? String(status ?? 'completed');
  return output
    .flatMap((run: unknown) => (isFields(run) ? [run['stdout'], run['stderr']] : []))
    .filter(isText)
    .join('\n');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
