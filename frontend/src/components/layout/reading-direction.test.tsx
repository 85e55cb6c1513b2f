import { Tabs } from '@chakra-ui/react';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeTheme } from './fake-theme';
import { ReadingDirection } from './reading-direction';

afterEach(() => {
  document.documentElement.lang = 'en';
});

test.each([
  ['ar', 'rtl', '{ArrowLeft}'],
  ['id', 'ltr', '{ArrowRight}'],
])('tabs go in the direction of the language: %s', async (language, direction, next) => {
  document.documentElement.lang = language;
  render(
    <FakeTheme>
      <ReadingDirection>
        <Tabs.Root defaultValue="a">
          <Tabs.List>
            <Tabs.Trigger value="a">First</Tabs.Trigger>
            <Tabs.Trigger value="b">Second</Tabs.Trigger>
          </Tabs.List>
        </Tabs.Root>
      </ReadingDirection>
    </FakeTheme>,
  );
  expect(screen.getByRole('tablist').closest('[dir]')?.getAttribute('dir')).toBe(direction);
  const user = userEvent.setup({ delay: null });
  screen.getByRole('tab', { name: 'First' }).focus();
  await user.keyboard(next);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Second'));
});
