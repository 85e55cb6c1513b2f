import type { Language, PublicSettings, User } from '@tanya/contract';
import { waitFor } from '@testing-library/react';
import { serve } from '../api/fake-server';
import { showLanguage, shownLanguage } from '../i18n/load-texts';
import { queryClient } from '../queries/query-client';
import { settingsQuery } from '../queries/settings.query';
import { currentUserQuery } from '../queries/user.query';
import { storeChoice, storedChoice } from './choice';
import { chooseLanguage, followLanguage } from './follow-language';

followLanguage();

/** Another tab or device has changed the language of the account. */
const changeElsewhere = (language: Language) =>
  queryClient.setQueryData(currentUserQuery.queryKey, { id: 1, language } as User);
/** Adds an element with an attribute to the page. */
const place = (name: string, value: string) =>
  document.body.appendChild(document.createElement('form')).setAttribute(name, value);
const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

beforeEach(async () => {
  document.body.replaceChildren();
  queryClient.clear();
  localStorage.clear();
  // The catalogue is loaded, so that a change is shown at once.
  await showLanguage('id');
  await showLanguage('spec');
});

test.each([
  ['role', 'dialog'],
  ['data-saved', 'false'],
])('a language from elsewhere waits while the page has %s=%s', async (name, value) => {
  place(name, value);
  changeElsewhere('id');
  await settled();
  expect(shownLanguage()).toBe('spec');
  document.body.replaceChildren();
  await waitFor(() => expect(shownLanguage()).toBe('id'));
});

test('a language from elsewhere is shown where everything is saved', async () => {
  place('data-saved', 'true');
  changeElsewhere('id');
  await waitFor(() => expect(shownLanguage()).toBe('id'));
});

test('a member who follows the site again loses the choice of the guest, which the next login would keep', async () => {
  storeChoice('id');
  changeElsewhere('id');
  serve({ '/api/user': { id: 1, language: null } });
  await chooseLanguage(null);
  expect(storedChoice()).toBeNull();
});

describe('the choice of a guest', () => {
  beforeEach(() => {
    queryClient.setQueryData(currentUserQuery.queryKey, null);
    queryClient.setQueryData(settingsQuery.queryKey, { defaultLanguage: 'spec' } as PublicSettings);
  });

  it('is shown at once in the dialog that takes it', async () => {
    place('role', 'dialog');
    expect(await chooseLanguage('id')).toBe(true);
    expect(shownLanguage()).toBe('id');
  });

  it('waits for unsaved input alone, not for the dialog that takes it', async () => {
    place('role', 'dialog');
    place('data-saved', 'false');
    expect(await chooseLanguage('id')).toBe(false);
    document.querySelector('[data-saved]')!.remove();
    await waitFor(() => expect(shownLanguage()).toBe('id'), { timeout: 30_000 });
  });

  it('waits for nothing when the language is shown already', async () => {
    place('data-saved', 'false');
    expect(await chooseLanguage('id')).toBe(false);
    expect(await chooseLanguage('spec')).toBe(true);
  });

  it('waits until nothing is unsaved', async () => {
    place('data-saved', 'false');
    expect(await chooseLanguage('id')).toBe(false);
    await settled();
    expect(shownLanguage()).toBe('spec');
    document.body.replaceChildren();
    await waitFor(() => expect(shownLanguage()).toBe('id'));
  });
});
