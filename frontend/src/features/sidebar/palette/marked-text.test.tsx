import { render } from '@testing-library/react';
import { MarkedText } from './palette-row';
import { FakeTheme } from '../../../components/layout/fake-theme';

function marksOf(text: string, words: string): string[] {
  const { container } = render(
    <FakeTheme>
      <MarkedText text={text} words={words} />
    </FakeTheme>,
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
  ['नमस्ते और स्ते', 'नमस्ते', ['नमस्ते']],
  ['नमस्ते', 'ते', []],
  ['nothing', '', []],
])('marks in %j the words %j', (text, words, marks) => {
  expect(marksOf(text, words)).toEqual(marks);
});
