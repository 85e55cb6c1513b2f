import { removeDrafts, removeOwnerlessDrafts } from './drafts';

beforeEach(() => {
  localStorage.clear();
  for (const key of ['tanya.draft.new', 'tanya.draft.12', 'tanya.draft.1.new', 'tanya.draft.guest.12', 'tanya.other'])
    localStorage.setItem(key, 'text');
});

const kept = () => Object.keys(localStorage).sort();

it('without a writer are removed, and nothing else', () => {
  removeOwnerlessDrafts();
  expect(kept()).toEqual(['tanya.draft.1.new', 'tanya.draft.guest.12', 'tanya.other']);
});

it('of one writer are removed, and nothing else', () => {
  removeDrafts('1');
  expect(kept()).toEqual(['tanya.draft.12', 'tanya.draft.guest.12', 'tanya.draft.new', 'tanya.other']);
});
