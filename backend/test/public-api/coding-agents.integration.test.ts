import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script, Step } from '../harness/scripted-answers.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { type Caller, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

/** The folder where `npm run agents` installs the agents; without it there is nothing to test. */
const FOLDER = process.env['AGENTS_FOLDER'];

const TASK = 'Change pears to 7 and count the lines.';
const BEFORE = 'apples 3\npears 4\n';
const PATCH = '*** Begin Patch\n*** Update File: fruit.txt\n@@\n-pears 4\n+pears 7\n*** End Patch';

/** A task for which an agent starts another one, and what it writes to it. */
const DELEGATE = 'Have another agent count the pears.';
const DELEGATED = 'Count them for me, please.';

const file = (name: string): string => join(FOLDER ?? '', 'work', name);

/** The calls with which a scripted model reads the file, edits it and runs a command, by a tool that the agent offers. */
const CALLS: Record<string, [name: string, args: object][]> = {
  functions__exec: [
    'const r = await tools.exec_command({ cmd: "cat fruit.txt" }); text(r.output ?? r);',
    `text(await tools.apply_patch(${JSON.stringify(PATCH)}));`,
    'const r = await tools.exec_command({ cmd: "wc -l fruit.txt" }); text(r.output ?? r);',
  ].map((input) => ['functions__exec', { input }]),
  apply_patch: [
    ['exec_command', { cmd: 'cat fruit.txt' }],
    ['apply_patch', { input: PATCH }],
    ['exec_command', { cmd: 'wc -l fruit.txt' }],
  ],
  exec_command: [
    ['exec_command', { cmd: 'cat fruit.txt' }],
    ['exec_command', { cmd: "sed -i 's/pears 4/pears 7/' fruit.txt" }],
    ['exec_command', { cmd: 'wc -l fruit.txt' }],
  ],
  Edit: [
    ['Read', { file_path: file('fruit.txt') }],
    ['Edit', { file_path: file('fruit.txt'), old_string: 'pears 4', new_string: 'pears 7' }],
    ['Bash', { command: 'wc -l fruit.txt', description: 'Counts lines' }],
  ],
};

/** The calls of an agent: those of the task, or those with which it has another one count. */
function callsFor(conversation: string, names: ReadonlySet<string>): [name: string, args: object][] {
  if (conversation.includes(DELEGATE))
    return [
      ['collaboration__spawn_agent', { task_name: 'counter', message: DELEGATED, fork_turns: 'none' }],
      ['collaboration__wait_agent', { timeout_ms: 60_000 }],
    ];
  if (conversation.includes(DELEGATED)) return [];
  return Object.entries(CALLS).find(([name]) => names.has(name))?.[1] ?? [];
}

/** The next step of the task; any other request of an agent, as for a title, gets a text. */
function nextStep(body: Record<string, unknown>): Script {
  const tools = (body['tools'] ?? []) as { function: { name: string } }[];
  const names = new Set(tools.map((tool) => tool.function.name));
  const calls = callsFor(JSON.stringify(body['messages']), names);
  const results = (body['messages'] as { role: string }[]).filter(({ role }) => role === 'tool').length;
  const call = calls[results];
  const usage: Step[] = [{ usage: { prompt: 100, completion: 20 } }, { done: true }];
  if (call === undefined)
    return { steps: [{ text: 'There are ' }, { text: '2 lines.' }, { finish: 'stop' }, ...usage] };
  const [name, args] = call;
  const json = JSON.stringify(args);
  return {
    steps: [
      { reasoning: 'I go on.', field: 'reasoning_content' },
      { text: `Step ${results + 1}.` },
      { call: { index: 0, id: `call_${results}`, name, args: '' } },
      { call: { index: 0, args: json.slice(0, 9) } },
      { call: { index: 0, args: json.slice(9) } },
      { finish: 'tool_calls' },
      ...usage,
    ],
  };
}

(FOLDER === undefined ? describe.skip : describe)('a coding agent reads a file, edits it and runs a command', () => {
  let upstream: ScriptedUpstream;
  let harness: PublicApiHarness;
  let caller: Caller;

  beforeAll(async () => {
    upstream = await startUpstream({ choose: (_text, body) => nextStep(body) });
    harness = await startPublicApiHarness({ redis: false, sharedUpstream: upstream });
    caller = await harness.caller();
    const admin = await harness.admin();
    for (const modelId of ['gpt-5.1', 'gpt-5.5', 'gpt-6-sol', 'claude-sonnet-4-5', 'claude-opus-4-7'])
      expect((await admin.post('/api/admin/models', { modelId, isApiEnabled: true })).status).toBe(201);
  });

  beforeEach(async () => {
    for (const folder of ['work', 'home']) {
      await rm(join(FOLDER!, folder), { recursive: true, force: true });
      await mkdir(join(FOLDER!, folder));
    }
    await writeFile(file('fruit.txt'), BEFORE);
    upstream.calls.length = 0;
  });

  afterEach(() => harness.settle());

  afterAll(async () => {
    await harness.close();
    await upstream.close();
  });

  /** Runs the program of a package in the folder of the task. @returns what it wrote */
  async function run(program: string, args: string[], env: Record<string, string>): Promise<string> {
    const home = join(FOLDER!, 'home');
    const child = spawn(process.execPath, [join(FOLDER!, 'node_modules', program), ...args], {
      cwd: join(FOLDER!, 'work'),
      env: { PATH: process.env['PATH'], HOME: home, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${program} ended with ${String(code)}: ${output}`);
    return output;
  }

  /** @param requests that the agent made beside its steps */
  async function expectDone(output: string, requests: number): Promise<void> {
    expect(await readFile(file('fruit.txt'), 'utf8')).toBe('apples 3\npears 7\n');
    expect(output).toContain('There are 2 lines.');
    const results = JSON.stringify(upstream.callsOf().map(({ body }) => body['messages']));
    for (const result of ['apples 3', '2 fruit.txt']) expect(results).toContain(result);
    expect(upstream.callsOf()).toHaveLength(4 + requests);
  }

  async function runCodex(model: string, task: string): Promise<string> {
    await mkdir(join(FOLDER!, 'home/.codex'));
    await writeFile(
      join(FOLDER!, 'home/.codex/config.toml'),
      `model = "${model}"
model_provider = "tanya"
[model_providers.tanya]
name = "Tanya"
base_url = "${harness.url}/api/v1"
env_key = "TANYA_KEY"
wire_api = "responses"
`,
    );
    const flags = ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access'];
    return run('@openai/codex/bin/codex.js', [...flags, task], { TANYA_KEY: caller.key });
  }

  it.each(['gpt-5.1', 'gpt-5.5', 'gpt-6-sol'])(
    'Codex, %s',
    async (model) => expectDone(await runCodex(model, TASK), 0),
    120_000,
  );

  it('Codex has another agent work for it, which reads its task', async () => {
    expect(await runCodex('gpt-6-sol', DELEGATE)).toContain('There are 2 lines.');
    const conversations = upstream.callsOf().map(({ body }) => JSON.stringify(body['messages']));
    expect(conversations).toHaveLength(4);
    const ofOther = conversations.filter((conversation) => !conversation.includes(DELEGATE));
    expect(ofOther).toEqual([expect.stringContaining(DELEGATED)]);
    expect(conversations.at(-1)).toContain('FINAL_ANSWER');
  }, 120_000);

  it.each([
    ['claude-sonnet-4-5', 'ANTHROPIC_API_KEY'],
    ['claude-opus-4-7', 'ANTHROPIC_AUTH_TOKEN'],
  ])(
    'Claude Code, %s',
    async (model, key) => {
      const flags = ['--print', '--dangerously-skip-permissions', '--model', model];
      const output = await run('@anthropic-ai/claude-code/cli-wrapper.cjs', [...flags, TASK], {
        ANTHROPIC_BASE_URL: `${harness.url}/api`,
        [key]: caller.key,
        // The agent refuses to run without questions as root, except in a container.
        IS_SANDBOX: '1',
      });
      await expectDone(output, 0);
    },
    120_000,
  );
});
