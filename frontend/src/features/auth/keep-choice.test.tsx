import { serve } from '../../app/api/fake-server';
import { sari } from '../../app/session/fake-user';
import { storeChoice } from '../../app/language/choice';
import { keepChoice } from './keep-choice';

afterEach(() => storeChoice(null));

const without = { ...sari, language: null };

it('keeps the choice of a guest on an account that has none', async () => {
  storeChoice('id');
  const stored = { ...without, language: 'id' as const };
  const sent = serve({ '/api/user': stored });
  expect(await keepChoice(without)).toEqual(stored);
  expect(sent).toEqual(['/api/user']);
});

it('leaves an account with a language, and one of a guest without a choice, as they are', async () => {
  const sent = serve({});
  expect(await keepChoice(without)).toBe(without);
  storeChoice('en');
  const chosen = { ...sari, language: 'id' as const };
  expect(await keepChoice(chosen)).toBe(chosen);
  expect(sent).toEqual([]);
});

it('does not fail a login when the choice cannot be stored', async () => {
  storeChoice('id');
  serve({ '/api/user': { statusCode: 503, code: 'unavailable', message: 'away' } });
  expect(await keepChoice(without)).toBe(without);
});
