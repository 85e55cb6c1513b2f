import { ChakraProvider, defaultSystem } from '@chakra-ui/react';
import type { PublicModel } from '@tanya/contract';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { COMPOSER_FIELD } from '../../../app/browser/composer-field';
import { matchOnly } from '../../../app/browser/fake-media';
import { ModelPicker } from './model-picker';

const modelOf = (modelId: string, name: string) =>
  ({ modelId, name, provider: 'OpenAI', description: null, isPremium: false }) as unknown as PublicModel;
const models = [modelOf('openai/a', 'Alpha'), modelOf('openai/b', 'Beta')] as const;

afterEach(() => matchOnly());

test('a chosen model moves the focus to the message field', async () => {
  matchOnly('(hover: hover)');
  const picked: string[] = [];
  const choice = {
    offered: [...models],
    model: models[0],
    mayUsePremium: false,
    pick: (modelId: string) => picked.push(modelId),
  };
  render(
    <ChakraProvider value={defaultSystem}>
      <ModelPicker choice={choice} />
      <textarea aria-label="Message" {...COMPOSER_FIELD} />
    </ChakraProvider>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Model: Alpha' }));
  const search = await screen.findByRole('combobox', { name: 'Search models' });
  await waitFor(() => expect(document.activeElement).toBe(search));
  await user.keyboard('Beta{Enter}');
  expect(picked).toEqual(['openai/b']);
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  // The menu returns the focus late.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(document.activeElement).toBe(screen.getByLabelText('Message'));
});
