import { serve } from '../api/fake-server';
import { queryClient } from '../queries/query-client';
import { currentUserQuery } from '../queries/user.query';
import { sari } from '../session/fake-user';
import { storeChoice } from './choice';
import { keepChoice, keepChoiceOfLoginElsewhere, noteLoginElsewhere } from './keep-choice';

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

it('keeps the choice once, after a login at an identity provider', async () => {
  storeChoice('id');
  queryClient.setQueryData(currentUserQuery.queryKey, without);
  const stored = { ...without, language: 'id' as const };
  const sent = serve({ '/api/user': stored });
  await keepChoiceOfLoginElsewhere();
  expect(sent).toEqual([]);
  noteLoginElsewhere();
  await keepChoiceOfLoginElsewhere();
  await keepChoiceOfLoginElsewhere();
  expect(sent).toEqual(['/api/user']);
  expect(queryClient.getQueryData(currentUserQuery.queryKey)).toEqual(stored);
});
