import { cutResult } from './cut-text.js';
import type { CallableTool, ToolContext, ToolPolicy, ToolResult, JsonSchema } from './tool.js';
import { type OutputUnit, Validator } from '@cfworker/json-schema';
import { isFields } from '../platform/json/fields.js';
import { toStorableText } from '../platform/json/storable-json.js';

/** Maximum length of a call's arguments as JSON. */
const MAX_ARGUMENTS = 32 * 1024;

type ParsedArguments = { args: Record<string, unknown> } | { problem: string };

/** JSON of a value; null for values without one, and for those that are nested too deeply. */
function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

/**
 * Checks the arguments of a call, which a model wrote. Models send null for arguments that they leave out, so a null counts
 * as absent.
 * @returns a copy, or a problem to report to the model
 */
export function parseArguments(schema: JsonSchema, given: unknown): ParsedArguments {
  const json = toJson(given ?? {});
  if (json === null) return { problem: 'The arguments are not valid JSON.' };
  if (json.length > MAX_ARGUMENTS) return { problem: `The arguments have more than ${MAX_ARGUMENTS} characters.` };
  const copy: unknown = JSON.parse(json, (_, value: unknown) =>
    typeof value === 'string' ? toStorableText(value) : value,
  );
  if (!isFields(copy)) return { problem: 'The arguments must be a JSON object.' };
  const args = Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== null));
  const { valid, errors } = new Validator(schema, '2020-12').validate(args);
  return valid ? { args } : { problem: problemOf(errors) };
}

/**
 * The innermost error names the field; the others repeat that its parents do not match. People read it too, in the details
 * of a failed call.
 */
function problemOf(errors: readonly OutputUnit[]): string {
  const { instanceLocation = '#', keyword = '', error = 'they do not match the schema.' } = errors.at(-1) ?? {};
  const field = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.');
  // A schema that allows no other fields.
  if (keyword === 'false') return `The arguments are not valid: there is no field ${field}.`.slice(0, 500);
  return `The arguments are not valid: ${field && `${field}: `}${error}`.slice(0, 500);
}

interface ToolDefinition<Args> extends Omit<CallableTool, 'prepare' | 'policyOf'> {
  /** Called with arguments that match `parameters`. @throws ToolFailure, AppError */
  run: (args: Args, context: ToolContext) => Promise<ToolResult>;
  policyOf?: (args: Args, context: ToolContext) => Promise<ToolPolicy>;
}

/** A failure of a tool whose message is written for the model and the reader. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

const failed = (text: string): ToolResult => ({ text, isError: true });

/**
 * Makes a tool of a definition: its arguments are checked against `parameters`, its ToolFailure becomes an error result, a
 * call that needs approval does not run without it, and its text is cut.
 */
export function defineTool<Args extends object>({ run, policyOf, ...description }: ToolDefinition<Args>): CallableTool {
  const { parameters } = description;
  const policy = async (args: Args, context: ToolContext): Promise<ToolPolicy> =>
    policyOf === undefined ? description.policy : policyOf(args, context);
  const attempt = async (args: Args, context: ToolContext): Promise<ToolResult> => {
    if (!context.isApproved && (await policy(args, context)) === 'ask') {
      return failed('The user has not approved this call.');
    }
    const result = await run(args, context);
    const { text, isCut } = cutResult(result.text);
    return { ...result, text, ...(isCut && { isCut }) };
  };
  const call = async (given: unknown, context: ToolContext): Promise<ToolResult> => {
    const parsed = parseArguments(parameters, given);
    if ('problem' in parsed) return failed(parsed.problem);
    try {
      return await attempt(parsed.args as Args, context);
    } catch (error) {
      if (error instanceof ToolFailure) return failed(error.message);
      throw error;
    }
  };
  return {
    ...description,
    prepare: async (given, context) => (signal) => call(given, { ...context, signal }),
    ...(policyOf && {
      policyOf: async (given, context) => {
        const parsed = parseArguments(parameters, given);
        // Invalid arguments are refused without asking the user.
        return 'problem' in parsed ? 'allow' : policyOf(parsed.args as Args, context);
      },
    }),
  };
}
