import fc from 'fast-check';
import { FUZZ_SEED, FUZZ_TIMEOUT_MS, fuzzRuns, mutatedJson, mutatedValue } from '../../../test/fuzz/mutated-json.js';
import { ProviderError } from '../provider-error.js';
import { imageInUrl } from './image-download.js';
import { modelsOf } from './model-list.js';
import { relayedJson } from './relayed-json.js';
import { relayedTranscription } from './relayed-transcription.js';

const ANSWERS = fuzzRuns(3_000);

const vectors = (embedding: unknown) => ({
  object: 'list',
  data: [0, 1].map((index) => ({ object: 'embedding', index, embedding })),
  model: 'm',
  usage: { prompt_tokens: 9, total_tokens: 9, cost: 0.1 },
});
const VECTORS = [
  vectors([0.5, -0.25]),
  vectors(Buffer.from(new Float32Array([0.5, -0.25]).buffer).toString('base64')),
  vectors([[0.5, -0.25]]),
  { data: [], error: { message: 'x', code: 500 } },
];
const TRANSCRIPTS = [
  { text: 'Selamat pagi.', usage: { type: 'tokens', input_tokens: 14, output_tokens: 4 } },
  { error: { message: 'x' }, text: 'y' },
];
const MODELS = [
  {
    object: 'list',
    data: [{ id: 'a', name: 'A', context_length: 8_192, architecture: { input_modalities: ['text', 'image'] } }],
  },
  {
    data: [
      { id: 'b', pricing: { prompt: '0.1', completion: 2 }, supported_parameters: ['tools'], top_provider: null },
      null,
    ],
  },
];

/** The answer, or null for one that fails as the failure of a provider does. */
async function answerOf<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

it(
  `sells no vectors that are not whole, in ${ANSWERS} answers`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        mutatedJson(VECTORS),
        fc.constantFrom('float', 'base64'),
        async ({ text, isWhole }, encoding) => {
          const answer = await answerOf(() => relayedJson(Buffer.from(text), encoding, 1));
          if (!isWhole) expect(answer).toBeNull();
          if (answer === null) return;
          const { data, error } = JSON.parse(answer.json.toString()) as { data: unknown; error?: unknown };
          expect([Array.isArray(data), error ?? null]).toEqual([true, null]);
        },
      ),
      { seed: FUZZ_SEED, numRuns: ANSWERS },
    );
  },
  FUZZ_TIMEOUT_MS,
);

it(
  `sells no transcript without its text, in ${ANSWERS} answers`,
  async () => {
    await fc.assert(
      fc.asyncProperty(mutatedJson(TRANSCRIPTS), fc.boolean(), async ({ text, isWhole }, isJson) => {
        const answer = await answerOf(() => relayedTranscription(text, { isJson, type: null }));
        if (!isJson) return;
        if (!isWhole) expect(answer).toBeNull();
        if (answer !== null) expect(typeof (JSON.parse(answer.body) as { text: unknown }).text).toBe('string');
      }),
      { seed: FUZZ_SEED, numRuns: ANSWERS },
    );
  },
  FUZZ_TIMEOUT_MS,
);

it(
  `reads any list of models and any address of a picture, in ${ANSWERS} answers`,
  async () => {
    const address = fc.tuple(
      fc.constantFrom('data:image/png;base64,', 'data:;base64', 'data:', 'https://a.example/', ''),
      fc.string({ maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(mutatedValue(MODELS), address, async (value, parts) => {
        for (const { id } of (await answerOf(() => modelsOf(value))) ?? []) expect(id).not.toBe('');
        await answerOf(() => imageInUrl(parts.join('')));
      }),
      { seed: FUZZ_SEED, numRuns: ANSWERS },
    );
  },
  FUZZ_TIMEOUT_MS,
);
