import { cutResult } from './cut-text.js';
import { parseArguments } from './tool-arguments.js';
import type { CallableTool, ToolContext, ToolPolicy, ToolResult } from './tool.js';

interface ToolDefinition<Args> extends Omit<CallableTool, 'run' | 'policyOf'> {
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
  return {
    ...description,
    run: async (given, context) => {
      const parsed = parseArguments(parameters, given);
      if ('problem' in parsed) return failed(parsed.problem);
      try {
        return await attempt(parsed.args as Args, context);
      } catch (error) {
        if (error instanceof ToolFailure) return failed(error.message);
        throw error;
      }
    },
    ...(policyOf && {
      policyOf: async (given, context) => {
        const parsed = parseArguments(parameters, given);
        // Invalid arguments are refused without asking the user.
        return 'problem' in parsed ? 'allow' : policyOf(parsed.args as Args, context);
      },
    }),
  };
}
