import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type ApiKeyResponse,
  EXAMPLE_CALLS,
  EXAMPLE_LANGUAGES,
  type ExampleCall,
  type ExampleLanguage,
  exampleOf,
  LIMITS,
} from '@tanya/contract';
import { systemProgram } from '../../../scripts/testing/system-program.mjs';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { PNG_BASE64, type Step } from '../harness/scripted-answers.js';
import { PNG, WAV } from '../harness/uploads.js';
import { CITY, CITY_ANSWER, textAnswer, WEATHER_CALL } from './client-cases.js';

/** File name and programs of each copied example; the first program runs the file. */
const RUN: Record<ExampleLanguage, { file: string; programs: string[] }> = {
  curl: { file: 'example.sh', programs: ['bash', 'curl'] },
  javascript: { file: 'example.mjs', programs: ['node'] },
  python: { file: 'example.py', programs: ['python3'] },
};

/** The workspace's packages, which hold `openai` for Node. */
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const MODEL = 'openai/gpt-4o-mini';
const HOSTILE_MODEL = `it's/a-"model"\\$HOME`;

const GREETING = textAnswer('Hello from the model');

/** Answers of the upstream, a text that the example prints, and the cost in messages. cURL makes the first request alone. */
const CASES: Record<ExampleCall, { steps?: Step[][]; prints: string; printsInCurl: string; costs: number }> = {
  chat: { steps: [GREETING], prints: 'Hello from the model', printsInCurl: 'Hello from the model', costs: 1 },
  stream: { steps: [GREETING], prints: 'Hello from the model', printsInCurl: 'data: [DONE]', costs: 1 },
  tools: {
    steps: [WEATHER_CALL, textAnswer('It is 31 °C.')],
    prints: 'It is 31 °C.',
    printsInCurl: '"name":"get_weather"',
    costs: 2,
  },
  structured: { steps: [CITY_ANSWER], prints: `${CITY.name} ${CITY.people}`, printsInCurl: CITY.name, costs: 1 },
  responses: {
    steps: [GREETING, textAnswer('Halo')],
    prints: 'Hello from the model\nHalo',
    printsInCurl: 'Hello from the model',
    costs: 2,
  },
  embeddings: { prints: '3 [', printsInCurl: '0.25', costs: 1 },
  images: { prints: 'image.png', printsInCurl: PNG_BASE64.slice(0, 40), costs: LIMITS.imageCost },
  transcriptions: { prints: 'Selamat pagi.', printsInCurl: 'Selamat pagi.', costs: 1 },
  models: { prints: MODEL, printsInCurl: MODEL, costs: 0 },
};

/** Path of the program that runs an example, installed if possible; null with a warning otherwise. */
function runnerOf(language: ExampleLanguage): string | null {
  try {
    return RUN[language].programs.map((name) => systemProgram({ names: [name], aptPackage: name }))[0]!;
  } catch (error) {
    console.warn(`skipping the ${language} examples: ${(error as Error).message}`);
    return null;
  }
}

function hasOpenAi(python: string): boolean {
  try {
    execFileSync(python, ['-c', 'import openai'], { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    console.warn('compiling the Python examples without running them: the package openai is not installed');
    return false;
  }
}

const runners = new Map(EXAMPLE_LANGUAGES.map(({ value }) => [value, runnerOf(value)]));
const python = runners.get('python') ?? null;
const runsPython = python !== null && hasOpenAi(python);
const languages = [...runners].flatMap(([language, runner]) =>
  runner === null || (language === 'python' && !runsPython) ? [] : [language],
);

describe('the examples of the API page', () => {
  let harness: ChatHarness;
  let folder: string;

  beforeAll(async () => {
    harness = await startChatHarness({ redis: false });
    folder = await mkdtemp(join(tmpdir(), 'tanya-examples-'));
    await symlink(PACKAGES, join(folder, 'node_modules'));
    await writeFile(join(folder, 'speech.wav'), WAV);
    const hostile = { modelId: HOSTILE_MODEL, name: 'Quoted', provider: 'Tests' };
    await (await harness.admin()).post('/api/admin/models', hostile);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await harness.close();
  });

  /** Writes an example as copied. @returns its path */
  async function written(call: ExampleCall, language: ExampleLanguage, key: string, model = MODEL): Promise<string> {
    const path = join(folder, RUN[language].file);
    await writeFile(path, exampleOf(call, language, { origin: harness.url, key, model }));
    return path;
  }

  async function outputOf(language: ExampleLanguage, path: string): Promise<string> {
    const { stdout } = await promisify(execFile)(runners.get(language)!, [path], { cwd: folder, timeout: 45_000 });
    return stdout;
  }

  async function member() {
    const { client } = await harness.member({ isPremium: true });
    const { body } = await client.post<ApiKeyResponse>('/api/user/apikey/generate');
    return { client, key: body.apiKey! };
  }

  it.each(languages.flatMap((language) => EXAMPLE_CALLS.map((call) => [language, call] as const)))(
    'run as copied: %s, %s',
    async (language, call) => {
      const { steps = [], prints, printsInCurl, costs } = CASES[call];
      const isCurl = language === 'curl';
      harness.upstream.script(...steps.slice(0, isCurl ? 1 : undefined).map((answer) => ({ steps: answer })));
      const { client, key } = await member();
      const output = await outputOf(language, await written(call, language, key));
      expect(output).toContain(isCurl ? printsInCurl : prints);
      const { body: quota } = await client.get<{ used: number }>('/api/user/quota');
      expect(quota.used).toBe(isCurl ? costs / Math.max(steps.length, 1) : costs);
      if (call === 'images' && !isCurl) expect(await readFile(join(folder, 'image.png'))).toEqual(PNG);
    },
  );

  it.each(languages)('quote the model: %s', async (language) => {
    const { key } = await member();
    for (const call of ['chat', 'responses'] as const) {
      expect(await outputOf(language, await written(call, language, key, HOSTILE_MODEL))).toContain('You said: Hello');
      expect(harness.upstream.callsOf().at(-1)!.body['model']).toBe(HOSTILE_MODEL);
    }
  });

  it.each(languages.filter((language) => language !== 'curl'))(
    'exit with an error when the call is refused: %s',
    async (language) => {
      await expect(outputOf(language, await written('chat', language, 'tk_wrong'))).rejects.toThrow(/Error/);
    },
  );

  it('have valid Python', async () => {
    if (python === null) return;
    for (const call of EXAMPLE_CALLS) {
      const path = await written(call, 'python', 'key', HOSTILE_MODEL);
      await promisify(execFile)(python, ['-m', 'py_compile', path], { cwd: folder, timeout: 45_000 });
    }
  });
});
