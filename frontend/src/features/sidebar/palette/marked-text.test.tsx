import { ChakraProvider } from '@chakra-ui/react';
import { render } from '@testing-library/react';
import { createTheme } from '../../../app/theme/theme';
import { MarkedText } from './marked-text';

function marksOf(text: string, words: string): string[] {
  const { container } = render(
    <ChakraProvider value={createTheme()}>
      <MarkedText text={text} words={words} />
    </ChakraProvider>,
  );
  expect(container.textContent).toBe(text);
  return [...container.querySelectorAll('mark')].map((mark) => mark.textContent);
}

test.each([
  ['the HARBOUR at night', 'harb night', ['HARB', 'night']],
  ['starboard board', 'board', ['board']],
  ['an über-idea', 'ÜBER', ['über']],
  ['a.b*c', '.*', []],
  ['in inside', 'in inside', ['in', 'inside']],
  ['nothing', '', []],
])('marks in %j the words %j', (text, words, marks) => {
  expect(marksOf(text, words)).toEqual(marks);
});
