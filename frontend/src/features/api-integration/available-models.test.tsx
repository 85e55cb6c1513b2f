import { type PublicModel, TEXTS, type User } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import { currentUserQuery } from '../../app/queries/user.query';
import { queryClient } from '../../app/queries/query-client';
import { sari } from '../../app/session/fake-user';
import { AvailableModels } from './available-models';
import { FakePage } from '../../components/layout/fake-page';

const modelOf = (name: string, isPremium: boolean) =>
  ({ modelId: `openai/${name}`, name, provider: 'OpenAI', isPremium }) as PublicModel;

function show(user: User) {
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  render(
    <FakePage>
      <AvailableModels
        models={[modelOf('Small', false), modelOf('Large', true)]}
        failed={false}
        onRetry={() => undefined}
      />
    </FakePage>,
  );
}

test('marks premium models for a free user', () => {
  show(sari);
  expect(screen.getAllByText(TEXTS.sidebar.premium)).toHaveLength(1);
  expect(screen.getByText(TEXTS.sidebar.premium).parentElement?.textContent).toContain('Large');
});

test.each([
  ['a premium user', { ...sari, isPremium: true }],
  ['an admin', { ...sari, isAdmin: true }],
])('marks no model for %s', (_, user) => {
  show(user);
  expect(screen.queryByText(TEXTS.sidebar.premium)).toBeNull();
});
