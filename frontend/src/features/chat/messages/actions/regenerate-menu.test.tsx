import { FALLBACK_MODEL } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import { modelsQuery } from '../../../../app/queries/models.query';
import { queryClient } from '../../../../app/queries/query-client';
import { currentUserQuery } from '../../../../app/queries/user.query';
import { FakePage } from '../../../../components/layout/fake-page';
import RegenerateMenu from './regenerate-menu';

const nothing = () => undefined;

test('offers the built-in model where no model is enabled', async () => {
  queryClient.setQueryData(currentUserQuery.queryKey, null);
  queryClient.setQueryData(modelsQuery.queryKey, []);
  const anchor = document.body.appendChild(document.createElement('button'));
  render(
    <FakePage>
      <RegenerateMenu anchor={anchor} current={null} onChoose={nothing} onClose={nothing} />
    </FakePage>,
  );
  expect((await screen.findByRole('menuitem')).textContent).toContain(FALLBACK_MODEL.name);
});
