import { ChakraProvider, defaultSystem } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { MessageFiles } from './message-files';

test('the icon of a document keeps its size beside a long name', () => {
  render(
    <ChakraProvider value={defaultSystem}>
      <MessageFiles content={{ text: '', fileUrl: '/api/files/1', fileName: `${'long '.repeat(30)}.pdf` }} />
    </ChakraProvider>,
  );
  const icon = screen.getByRole('link', { name: /^Download long/ }).querySelector('svg');
  expect(icon?.style.flexShrink).toBe('0');
});
