import { ChakraProvider, defaultSystem } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
// Imported here, so that the lazy import resolves at once.
import '../../markdown/rendered-markdown';
import { Reasoning } from './reasoning';

test('renders the reasoning as Markdown', async () => {
  render(
    <ChakraProvider value={defaultSystem}>
      <Reasoning text="First **this** word" isThinking={false} scope="m1-reasoning" />
    </ChakraProvider>,
  );
  const word = await screen.findByText('this');
  expect(word.tagName).toBe('STRONG');
});
