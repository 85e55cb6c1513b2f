import { AppError } from '../platform/errors/app-error.js';
import { MAX_RESULT_BYTES } from './cut-text.js';
import { defineTool, ToolFailure } from './define-tool.js';
import type { CallableTool, ToolContext, ToolPolicy, ToolResult } from './tool.js';

const call = async (tool: CallableTool, args: unknown, context: Partial<ToolContext> = {}): Promise<ToolResult> => {
  const run = await tool.prepare(args, context as ToolContext);
  return run(new AbortController().signal);
};

const toolOf = (run: (args: { text: string }) => Promise<ToolResult>, policy: ToolPolicy = 'allow') =>
  defineTool<{ text: string }>({
    name: 'echo',
    title: 'Echo',
    description: 'Echoes a text.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    policy: 'allow',
    policyOf: async ({ text }) => (text === 'private' ? 'ask' : policy),
    run,
  });

const echo = toolOf(async ({ text }) => ({ text }));

describe('a defined tool', () => {
  it('runs with arguments that match its schema', async () => {
    expect(await call(echo, { text: 'x' })).toEqual({ text: 'x' });
  });

  it('reports invalid arguments without running', async () => {
    let runs = 0;
    const tool = toolOf(async () => ({ text: String((runs += 1)) }));
    expect(await call(tool, {})).toMatchObject({ isError: true });
    expect(runs).toBe(0);
  });

  it('does not run a call that needs approval without it', async () => {
    expect(await echo.policyOf!({ text: 'private' }, {} as ToolContext)).toBe('ask');
    expect(await call(echo, { text: 'private' })).toMatchObject({ isError: true });
    expect(await call(echo, { text: 'private' }, { isApproved: true })).toEqual({ text: 'private' });
  });

  it('asks no approval for arguments that it refuses', async () => {
    expect(await echo.policyOf!({ text: 7 }, {} as ToolContext)).toBe('allow');
  });

  it('cuts a long result', async () => {
    const { text } = await call(echo, { text: 'x'.repeat(30_000) });
    expect(text).toHaveLength(30_000);
    const long = await call(
      toolOf(async () => ({ text: 'x'.repeat(100_000) })),
      { text: '' },
    );
    expect(long.text).toHaveLength(MAX_RESULT_BYTES);
  });

  it('turns its failure into an error result and passes other errors on', async () => {
    const failing = toolOf(async () => Promise.reject(new ToolFailure('No page.')));
    expect(await call(failing, { text: '' })).toEqual({ text: 'No page.', isError: true });
    const refused = toolOf(async () => Promise.reject(new AppError('rate_limited')));
    await expect(call(refused, { text: '' })).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
