import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { FakePage } from '../../components/layout/fake-page';
import { ModelsPage } from './models-page';

test('keeps an entered model, which counts as unsaved, while the other tab is shown', async () => {
  serve({ '/api/admin/models': [], '/api/admin/connections': [], '/api/admin/openrouter/models': { data: [] } });
  render(
    <FakePage>
      <ModelsPage />
    </FakePage>,
  );
  const user = userEvent.setup({ delay: null });
  const field = () => screen.findByPlaceholderText<HTMLInputElement>('openai/gpt-4o-mini');
  await user.type(await field(), 'maker/large');
  const [models, imports] = screen.getAllByRole('tab');
  await user.click(imports!);
  expect(await screen.findByText('Import from OpenRouter')).toBeDefined();
  expect(document.querySelector('[data-saved=false]')).not.toBeNull();
  await user.click(models!);
  expect((await field()).value).toBe('maker/large');
});
