import { ChakraProvider, defaultSystem } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';

Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' });
const { ShortcutKeys } = await import('./shortcut-keys');

test('Ctrl is ⌘ on a Mac', () => {
  render(
    <ChakraProvider value={defaultSystem}>
      <ShortcutKeys keys={['Ctrl', 'Shift', 'O']} />
    </ChakraProvider>,
  );
  expect(screen.getByText('⌘').parentElement?.textContent).toBe('⌘ShiftO');
});
