import { render, screen } from '@testing-library/react';
// Imported here, so that the lazy import resolves at once.
import '../../markdown/rendered-markdown';
import { Reasoning } from './reasoning';
import { FakeTheme } from '../../../components/layout/fake-theme';

test('renders the reasoning as Markdown', async () => {
  render(
    <FakeTheme>
      <Reasoning text="First **this** word" isThinking={false} scope="m1-reasoning" />
    </FakeTheme>,
  );
  const word = await screen.findByText('this');
  expect(word.tagName).toBe('STRONG');
});
