import fc from 'fast-check';
import { FUZZ_SEED, FUZZ_TIMEOUT_MS, fuzzRuns, mutatedValue } from '../../../test/fuzz/mutated-json.js';
import { brave } from './brave.js';
import { searxng } from './searxng.js';
import { tavily } from './tavily.js';

const ANSWERS = fuzzRuns(2_000);
const entry = { url: 'https://a.example/b', title: 'A <b>title</b>', content: 'A &amp; b', description: 'c' };
const DOCUMENTS = [
  { results: [entry, { ...entry, url: 'javascript:alert(1)' }], unresponsive_engines: [['google', 'timeout']] },
  { web: { results: [entry, { ...entry, title: null }] } },
];

it(
  `reads any answer of a search service, in ${ANSWERS} answers`,
  () => {
    const clients = [searxng('http://search.example'), brave('key'), tavily('key')];
    fc.assert(
      fc.property(mutatedValue(DOCUMENTS), (body) => {
        for (const client of clients)
          for (const { url, title, snippet = 'x' } of client.read(body) ?? []) {
            expect(url).toMatch(/^https?:/);
            expect([typeof title, title === '', typeof snippet, snippet === '']).toEqual([
              'string',
              false,
              'string',
              false,
            ]);
          }
      }),
      { seed: FUZZ_SEED, numRuns: ANSWERS },
    );
  },
  FUZZ_TIMEOUT_MS,
);
