import { FALLBACK_MODEL, type PublicModel } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import { modelsQuery } from '../../../../app/queries/models.query';
import { queryClient } from '../../../../app/queries/query-client';
import { currentUserQuery } from '../../../../app/queries/user.query';
import { FakePage } from '../../../../components/layout/fake-page';
import RegenerateMenu from './regenerate-menu';

const nothing = () => undefined;

function show(models: PublicModel[]): void {
  queryClient.setQueryData(currentUserQuery.queryKey, null);
  queryClient.setQueryData(modelsQuery.queryKey, models);
  const anchor = document.body.appendChild(document.createElement('button'));
  render(
    <FakePage>
      <RegenerateMenu anchor={anchor} current={null} onChoose={nothing} onClose={nothing} />
    </FakePage>,
  );
}

test('offers the built-in model where no model is enabled', async () => {
  show([]);
  expect((await screen.findByRole('menuitem')).textContent).toContain(FALLBACK_MODEL.name);
});

test('says what an answer costs when it is more than one message', async () => {
  show([
    { ...FALLBACK_MODEL, modelId: 'text', name: 'Text' },
    { ...FALLBACK_MODEL, modelId: 'draws', name: 'Draws', kind: 'image', messageCost: 7 },
  ]);
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items).toEqual(['Text', 'Draws7 messages']);
});
