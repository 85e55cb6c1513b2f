import { AppError } from '../platform/errors/app-error.js';
import { MAX_RESULT_BYTES } from './cut-text.js';
import { defineTool, ToolFailure } from './define-tool.js';
import type { ToolContext, ToolPolicy, ToolResult } from './tool.js';

const context = (fields: Partial<ToolContext> = {}) => fields as ToolContext;

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
    expect(await echo.run({ text: 'x' }, context())).toEqual({ text: 'x' });
  });

  it('reports invalid arguments without running', async () => {
    let runs = 0;
    const tool = toolOf(async () => ({ text: String((runs += 1)) }));
    expect(await tool.run({}, context())).toMatchObject({ isError: true });
    expect(runs).toBe(0);
  });

  it('does not run a call that needs approval without it', async () => {
    expect(await echo.policyOf!({ text: 'private' }, context())).toBe('ask');
    expect(await echo.run({ text: 'private' }, context())).toMatchObject({ isError: true });
    expect(await echo.run({ text: 'private' }, context({ isApproved: true }))).toEqual({ text: 'private' });
  });

  it('asks no approval for arguments that it refuses', async () => {
    expect(await echo.policyOf!({ text: 7 }, context())).toBe('allow');
  });

  it('cuts a long result', async () => {
    const { text } = await echo.run({ text: 'x'.repeat(30_000) }, context());
    expect(text).toHaveLength(30_000);
    const long = await toolOf(async () => ({ text: 'x'.repeat(100_000) })).run({ text: '' }, context());
    expect(long.text).toHaveLength(MAX_RESULT_BYTES);
  });

  it('turns its failure into an error result and passes other errors on', async () => {
    const failing = toolOf(async () => Promise.reject(new ToolFailure('No page.')));
    expect(await failing.run({ text: '' }, context())).toEqual({ text: 'No page.', isError: true });
    const refused = toolOf(async () => Promise.reject(new AppError('rate_limited')));
    await expect(refused.run({ text: '' }, context())).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
