import { ERRORS, type ToolPart } from '@tanya/contract';
import { AppError } from '../../../src/platform/errors/app-error.js';
import type { PreparedCall, ToolContext } from '../../../src/tools/tool.js';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { waitForLockWait, withConnection } from '../../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { waitUntil } from '../../harness/wait-until.js';
import { changeUser } from '../../quota/budget-harness.js';
import { callsOf, registerTools, ScriptedTool, textOf } from '../scripted-tools.js';

/** A tool that checks its calls while they are committed. */
class CheckedTool extends ScriptedTool {
  checks = 0;
  onCheck: () => Promise<void> = async () => undefined;

  override async prepare(args: unknown, context: ToolContext): Promise<PreparedCall> {
    this.checks += 1;
    await this.onCheck();
    return super.prepare(args, context);
  }
}

let database: TestDatabase;
let harness: ChatHarness;
let checked: CheckedTool;
const plain = new ScriptedTool('plain');

beforeAll(async () => {
  database = await createDatabase();
  harness = await startChatHarness({ redis: false, database });
  checked = new CheckedTool('checked');
  registerTools(harness, checked, plain);
});

beforeEach(() => {
  for (const tool of [checked, plain]) tool.runs.length = 0;
  checked.checks = 0;
  checked.onCheck = async () => undefined;
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await database.drop();
});

const callsIn = ({ parts = [] }: { parts?: { type: string }[] }) =>
  parts.filter((part): part is ToolPart => part.type === 'tool');

const storedCalls = (generationId: string) =>
  harness.dataSource.query<{ call_id: string; state: string }[]>(
    'select call_id, state from tool_call where generation_id = $1 order by call_id',
    [generationId],
  );

/** Starts an answer whose model calls a tool when it is released. */
async function called(name: string, fields?: Parameters<ChatHarness['memberPage']>[0]) {
  const member = await harness.memberPage(fields);
  const calls = harness.upstream.callsOf().length;
  const release = harness.upstream.hold(callsOf('Let me see. ', { id: 'call_1', name }));
  harness.upstream.script(textOf('Done.'));
  const started = await member.page.start('with a call', { tools: [name] });
  await waitUntil('the request', () => harness.upstream.callsOf().length > calls);
  return { ...member, ...started, release };
}

describe('a call', () => {
  it('is checked by its tool while it is committed, and runs after the commit', async () => {
    const { generationId, page, release } = await called('checked');
    await withConnection(database, async (client) => {
      await client.query('begin');
      await client.query('select 1 from generation where id = $1 for update', [generationId]);
      release();
      await waitForLockWait(database);
      await waitUntil('the check', () => checked.checks === 1);
      expect(checked.runs).toHaveLength(0);
      await client.query('commit');
    });
    const { message } = await page.ended(generationId);
    expect(callsIn(message)).toMatchObject([{ state: 'done', result: 'done' }]);
    expect([checked.checks, checked.runs.length]).toEqual([1, 1]);
  });

  it('fails with the reason of its tool’s check', async () => {
    checked.onCheck = () => Promise.reject(new AppError('rate_limited'));
    const { generationId, page, release } = await called('checked');
    release();
    const { message } = await page.ended(generationId);
    expect(message.status).toBe('complete');
    expect(callsIn(message)).toMatchObject([{ state: 'failed', error: ERRORS.rate_limited.sentence }]);
    expect(checked.runs).toHaveLength(0);
  });

  it.each(['checked', 'plain'])(
    'of the tool "%s" fails without a run when the plan of the asker has ended (TOOL-9)',
    async (name) => {
      const admin = await harness.admin();
      const { generationId, page, user, release } = await called(name, { isPremium: true });
      await admin.patch('/api/admin/general-settings', { maxSteps: { guest: 0, free: 0, premium: 10 } });
      await changeUser(harness, user.id, { isPremium: false });
      release();
      const { message } = await page.ended(generationId);
      await admin.patch('/api/admin/general-settings', { maxSteps: { guest: 0, free: 3, premium: 10 } });
      expect(callsIn(message)).toMatchObject([{ state: 'failed', error: 'This tool is no longer available.' }]);
      expect(await storedCalls(generationId)).toEqual([{ call_id: 'call_1', state: 'failed' }]);
      expect([checked.runs.length, plain.runs.length]).toEqual([0, 0]);
    },
  );

  it('that needs approval does not wait for one when the plan of the asker has ended', async () => {
    const admin = await harness.admin();
    plain.policy = 'ask';
    const { generationId, page, user, release } = await called('plain', { isPremium: true });
    await admin.patch('/api/admin/general-settings', { maxSteps: { guest: 0, free: 0, premium: 10 } });
    await changeUser(harness, user.id, { isPremium: false });
    release();
    const { message } = await page.ended(generationId);
    await admin.patch('/api/admin/general-settings', { maxSteps: { guest: 0, free: 3, premium: 10 } });
    plain.policy = 'allow';
    expect(message.status).toBe('complete');
    expect(callsIn(message)).toMatchObject([{ state: 'failed', error: 'This tool is no longer available.' }]);
  });
});
