import { ChakraProvider, defaultSystem } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
// Here already, so that nothing waits for its import.
import '../../markdown/rendered-markdown';
import { Reasoning } from './reasoning';

test('what the model thought is shown as answers are, without the marks', async () => {
  render(
    <ChakraProvider value={defaultSystem}>
      <Reasoning text="First **this** word" isThinking={false} scope="m1-reasoning" />
    </ChakraProvider>,
  );
  const word = await screen.findByText('this', {}, { timeout: 5_000 });
  expect(word.tagName).toBe('STRONG');
});
