import { render, screen } from '@testing-library/react';
import { FakeTheme } from '../layout/fake-theme';

Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' });
const { ShortcutKeys } = await import('./shortcut-keys');

test('Ctrl is ⌘ on a Mac', () => {
  render(
    <FakeTheme>
      <ShortcutKeys keys={['Ctrl', 'Shift', 'O']} />
    </FakeTheme>,
  );
  expect(screen.getByText('⌘').parentElement?.textContent).toBe('⌘ShiftO');
});
