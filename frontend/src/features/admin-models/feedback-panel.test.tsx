import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { FakePage } from '../../components/layout/fake-page';
import { FeedbackPanel } from './feedback-panel';

function show(answers: Record<string, unknown>): void {
  queryClient.clear();
  serve({ '/api/admin/models': [{ id: 1, modelId: 'acme/one', name: 'One' }], ...answers });
  render(
    <FakePage>
      <FeedbackPanel />
    </FakePage>,
  );
}

test('shows the ratings of each model, those of deleted models too', async () => {
  const ratings = [
    { modelId: 'acme/one', up: 3, down: 1 },
    { modelId: 'acme/gone', up: 0, down: 1_200 },
  ];
  show({ '/api/admin/feedback': ratings });
  expect(await screen.findByRole('row', { name: 'One 3 1 75%' })).toBeDefined();
  expect(screen.getByRole('row', { name: 'acme/gone 0 1,200 0%' })).toBeDefined();
});

test('reports that there are no ratings, and a failed read that is tried again', async () => {
  show({ '/api/admin/feedback': { statusCode: 500, code: 'internal', message: 'x' } });
  const retry = await screen.findByRole('button', { name: 'Try Again' });
  serve({ '/api/admin/models': [], '/api/admin/feedback': [] });
  await userEvent.click(retry);
  expect(await screen.findByText(/No answer has been rated/)).toBeDefined();
});
