import { type OwnRetention, TEXTS, type User } from '@tanya/contract';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { showLanguage } from '../../../app/i18n/load-texts';
import { storedChoice, storeChoice } from '../../../app/language/choice';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { FakePage } from '../../../components/layout/fake-page';
import HomeLines from './home-lines';

const kept: OwnRetention = { days: null, exemptPinned: true, next: null };

async function show(user: User | null, retention = kept, isTemporary = false): Promise<string> {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  serve({ '/api/general-settings': { demo: !isTemporary }, '/api/user/retention': retention });
  render(
    <FakePage>
      <HomeLines isTemporary={isTemporary} />
    </FakePage>,
  );
  return (await screen.findByRole('note')).textContent;
}

test.each([
  ['a guest', null],
  ['a member', sari],
])('does not name the settings to %s', async (_, user) => {
  const text = await show(user);
  expect(text).toContain('Demo mode');
  expect(text).not.toMatch(/Settings|_KEY/);
});

test('names the settings to an admin, with a link', async () => {
  await show({ ...sari, isAdmin: true });
  const link = screen.getByRole('link', { name: TEXTS.sidebar.generalSettings });
  expect(link.getAttribute('href')).toBe('/admin/settings');
});

test('says from when on chats are deleted earlier, and where they can be exported', async () => {
  const next = { days: 30, exemptPinned: true, effectiveAt: '2026-12-04T10:00:00.000Z' };
  await show(sari, { ...kept, next });
  const note = await screen.findByText(/without a message for 30 days are deleted. Pinned chats stay./);
  expect(note.textContent).toContain('Dec');
  expect(screen.getByRole('link', { name: 'account' }).getAttribute('href')).toBe('/account');
});

test('says before the first message what a temporary chat is', async () => {
  expect(await show(sari, kept, true)).toBe(
    'This chat will be in no list, search or export. It ends a day after its last message.',
  );
});

describe('the choice of a language', () => {
  afterEach(async () => {
    storeChoice(null);
    await showLanguage('spec');
  });

  const choices = () => screen.queryByRole('group', { name: 'Language' });

  async function showSite(user: User | null, defaultLanguage = 'spec'): Promise<void> {
    queryClient.clear();
    queryClient.setQueryData(currentUserQuery.queryKey, user);
    serve({ '/api/general-settings': { demo: true, defaultLanguage }, '/api/user/retention': kept });
    render(
      <FakePage>
        <HomeLines isTemporary={false} />
      </FakePage>,
    );
    await screen.findByRole('note');
  }

  it('is offered to a guest while the page mixes two', async () => {
    await showSite(null);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Bahasa Indonesia' }));
    expect(choices()).toBeNull();
    await waitFor(() => expect(storedChoice()).toBe('id'));
  });

  it('may be dismissed, for the mix', async () => {
    await showSite(null);
    await userEvent.setup().click(screen.getAllByRole('button', { name: 'Dismiss' })[0]!);
    expect(choices()).toBeNull();
    expect(storedChoice()).toBe('spec');
  });

  it.each([
    ['a member', sari, 'spec'],
    ['a guest of a site in one language', null, 'en'],
  ])('is not offered to %s', async (_, user, language) => {
    await showSite(user, language);
    expect(choices()).toBeNull();
  });

  it('is not offered again after a choice', async () => {
    storeChoice('en');
    await showSite(null);
    expect(choices()).toBeNull();
  });
});
