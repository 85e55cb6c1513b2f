import { ToolRegistry } from '../../src/tools/tool-registry.js';
import type { CallableTool, PreparedCall, ToolContext, ToolResult } from '../../src/tools/tool.js';
import type { Script, Step } from '../harness/scripted-answers.js';
import type { TestApp } from '../harness/test-app.js';

/** A tool whose runs a test records and scripts. */
export class ScriptedTool implements CallableTool {
  title: string;
  description = 'A scripted tool.';
  parameters = { type: 'object' };
  policy: CallableTool['policy'] = 'allow';
  readonly runs: { args: unknown; context: ToolContext }[] = [];
  isAvailable = true;

  constructor(
    readonly name: string,
    public answer: (args: unknown, context: ToolContext) => ToolResult | Promise<ToolResult> = () => ({ text: 'done' }),
  ) {
    this.title = `The tool ${name}`;
  }

  async prepare(args: unknown, context: ToolContext): Promise<PreparedCall> {
    return async (signal) => {
      const ofCall = { ...context, signal };
      this.runs.push({ args, context: ofCall });
      return this.answer(args, ofCall);
    };
  }

  /** The number of runs with these arguments. */
  runsWith(args: unknown): number {
    return this.runs.filter((run) => JSON.stringify(run.args) === JSON.stringify(args)).length;
  }
}

/** Adds tools to a server. */
export function registerTools({ app }: TestApp, ...tools: ScriptedTool[]): void {
  app.get(ToolRegistry).register({ list: async () => tools.filter(({ isAvailable }) => isAvailable) });
}

/** A step of the model that writes text and calls tools. */
export const callsOf = (text: string, ...calls: { id?: string; name: string; args?: unknown }[]): Script => ({
  steps: [
    ...(text === '' ? [] : [{ text }]),
    ...calls.map((call, index): Step => ({ call: { index, args: {}, ...call } })),
    { finish: 'tool_calls' },
    { usage: { prompt: 10, completion: 5 } },
    { done: true },
  ],
});

/** The last step of the model. */
export const textOf = (text: string): Script => ({
  steps: [{ text }, { finish: 'stop' }, { usage: { prompt: 20, completion: 3 } }, { done: true }],
});

/** Holds back the answers of a tool. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
