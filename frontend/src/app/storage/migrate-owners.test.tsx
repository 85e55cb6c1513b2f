import { readDraft, readDraftFiles, readOwn } from './drafts';
import { migrateOwners } from './migrate-owners';

const file = (name: string) => ({ kind: 'document', url: `/api/files/${name}`, name, type: 'text/plain', size: 1 });
const store = (key: string, value: unknown) =>
  localStorage.setItem(key, typeof value === 'string' ? value : JSON.stringify(value));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe('migrateOwners', () => {
  it('keeps drafts, files and images that an earlier version stored under a user id', () => {
    store('tanya.draft.12.new', 'a new chat');
    store('tanya.draft.12.7', 'in thread 7');
    store('tanya.draft.12.7.files', [file('plan.txt')]);
    store('tanya.draft.12.image', { prompt: 'a lighthouse' });
    migrateOwners();
    expect(readDraft('user:12', 'draft')).toBe('a new chat');
    expect(readDraft('user:12', '7')).toBe('in thread 7');
    expect(readDraftFiles('user:12', '7')).toEqual([file('plan.txt')]);
    expect(readOwn('user:12', 'image')).toEqual({ prompt: 'a lighthouse' });
    expect(Object.keys(localStorage).filter((key) => key.startsWith('tanya.draft.12'))).toEqual([]);
  });

  it('joins a draft that exists in both forms', () => {
    store('tanya.draft.12.new', 'from an old tab');
    store('tanya.draft.user:12.new', 'from a new tab');
    store('tanya.draft.12.new.files', [file('old.txt')]);
    store('tanya.draft.user:12.new.files', [file('new.txt')]);
    migrateOwners();
    expect(readDraft('user:12', 'draft')).toBe('from a new tab\n\nfrom an old tab');
    expect(readDraftFiles('user:12', 'draft').map(({ name }) => name)).toEqual(['new.txt', 'old.txt']);
  });

  it('leaves a guest’s draft and other keys alone', () => {
    store('tanya.draft.guest.new', 'as a guest');
    store('tanya.color-mode', 'dark');
    migrateOwners();
    expect(Object.keys(localStorage).sort()).toEqual(['tanya.color-mode', 'tanya.draft.guest.new']);
  });

  it('removes drafts that name no owner', () => {
    store('tanya.draft.new', 'by an unknown person');
    store('tanya.draft.12', 'by an unknown person');
    migrateOwners();
    expect(localStorage.length).toBe(0);
  });

  it('gives sends of the outbox the current form of their owner', () => {
    const send = (owner: string | null) => ({ owner, text: 'the text "owner":"12" stays' });
    const outbox = (...owners: (string | null)[]) =>
      JSON.stringify({ state: { pending: owners.map(send) }, version: 0 });
    sessionStorage.setItem('tanya.outbox', outbox('12', 'guest', null, 'user:9'));
    migrateOwners();
    expect(sessionStorage.getItem('tanya.outbox')).toBe(outbox('user:12', 'guest', null, 'user:9'));
  });

  it('changes nothing when it runs again', () => {
    store('tanya.draft.12.new', 'a new chat');
    migrateOwners();
    const first = { ...localStorage };
    migrateOwners();
    expect({ ...localStorage }).toEqual(first);
  });
});
