import { EXAMPLE_CALLS, EXAMPLE_PATHS } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CallExamples } from './call-examples';
import { FakeTheme } from '../../components/layout/fake-theme';

const shown = { origin: 'https://chat.example', key: 'abcd••••', model: 'openai/gpt-4o-mini' };

test('shows the code of each call in the chosen language, with the masked key', async () => {
  render(
    <FakeTheme>
      <CallExamples shown={shown} copied={{ ...shown, key: 'abcdefgh' }} />
    </FakeTheme>,
  );
  const user = userEvent.setup();
  const call = screen.getByRole('combobox', { name: 'Endpoint' });
  expect(call.children).toHaveLength(EXAMPLE_CALLS.length);
  expect(screen.getByRole('region', { name: 'cURL example' }).textContent).toContain('Bearer abcd••••');
  await user.click(screen.getByRole('tab', { name: 'Python' }));
  for (const value of EXAMPLE_CALLS) {
    await user.selectOptions(call, value);
    expect(screen.getByText(EXAMPLE_PATHS[value])).toBeTruthy();
    const code = screen.getByRole('region', { name: 'Python example' }).textContent;
    expect(code).toContain('from openai import OpenAI');
    expect(code).not.toContain('abcdefgh');
  }
});
