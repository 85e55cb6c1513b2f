import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ApiKeyResponse, EXAMPLE_LANGUAGES, exampleOf, type ExampleLanguage } from '@tanya/contract';
import { systemProgram } from '../../../scripts/system-program.mjs';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { echoText } from '../harness/scripted-answers.js';

/** File name and programs of each copied example; the first program runs the file. */
const RUN: Record<ExampleLanguage, { file: string; programs: string[] }> = {
  curl: { file: 'example.sh', programs: ['bash', 'curl'] },
  javascript: { file: 'example.mjs', programs: ['node'] },
  python: { file: 'example.py', programs: ['python3'] },
};

/** Path of the program that runs an example, installed if possible; null with a warning otherwise. */
function runnerOf(language: ExampleLanguage): string | null {
  try {
    return RUN[language].programs.map((name) => systemProgram({ names: [name], aptPackage: name }))[0]!;
  } catch (error) {
    console.warn(`skipping the ${language} example: ${(error as Error).message}`);
    return null;
  }
}

const runners = new Map(EXAMPLE_LANGUAGES.map(({ value }) => [value, runnerOf(value)]));
const languages = [...runners].flatMap(([language, runner]) => (runner === null ? [] : [language]));

const MODELS = ['openai/gpt-4o-mini', `it's/a-"model"\\$HOME`];

describe('the examples of the API page', () => {
  let harness: ChatHarness;
  let folder: string;

  beforeAll(async () => {
    harness = await startChatHarness({ redis: false });
    folder = await mkdtemp(join(tmpdir(), 'tanya-examples-'));
    await (await harness.admin()).post('/api/admin/models', { modelId: MODELS[1], name: 'Quoted', provider: 'Tests' });
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await harness.close();
  });

  async function outputOf(language: ExampleLanguage, key: string, model: string): Promise<string> {
    const path = join(folder, RUN[language].file);
    await writeFile(path, exampleOf(language, { origin: harness.url, key, model }));
    const { stdout } = await promisify(execFile)(runners.get(language)!, [path], { cwd: folder, timeout: 45_000 });
    return stdout;
  }

  it.each(languages.flatMap((language) => MODELS.map((model) => [language, model] as const)))(
    'run as copied: %s with the model %s',
    async (language, model) => {
      const { client } = await harness.member();
      const { body } = await client.post<ApiKeyResponse>('/api/user/apikey/generate');
      expect(await outputOf(language, body.apiKey!, model)).toContain(echoText('Hello', 20));
      const { body: quota } = await client.get<{ used: number }>('/api/user/quota');
      expect(quota.used).toBe(1);
    },
  );

  it.each(languages.filter((language) => language !== 'curl'))(
    'exit with an error when the call is refused: %s',
    async (language) => {
      await expect(outputOf(language, 'tk_wrong', MODELS[0]!)).rejects.toThrow(/Error/);
    },
  );
});
