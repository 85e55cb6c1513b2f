import { render, screen } from '@testing-library/react';
import TypedMessage from './typed-text';
import { FakeTheme } from '../../components/layout/fake-theme';

function show(text: string) {
  render(
    <FakeTheme>
      <div data-testid="message">
        <TypedMessage text={text} />
      </div>
    </FakeTheme>,
  );
  return screen.getByTestId('message');
}

test('code in fences is code, and all other text stays as typed', () => {
  const root = show('# No heading\n  - *no* list\n\n```ts\nconst a = 1;\n```\nafter `it`\n\n~~~\nopen **code**');
  expect(root.querySelectorAll('h1, li, em, strong, :not(pre) > code')).toHaveLength(0);
  expect([...root.querySelectorAll('.plain')].map(({ textContent }) => textContent)).toEqual([
    '# No heading\n  - *no* list\n',
    'after `it`\n',
  ]);
  expect([...root.querySelectorAll('pre')].map(({ textContent }) => textContent)).toEqual([
    'const a = 1;',
    'open **code**',
  ]);
  expect(screen.getByLabelText('Code in TypeScript')).toBeDefined();
});

test.each([
  [
    'See https://example.org/a_(b)?c=d#e, or (www.example.org).',
    ['https://example.org/a_(b)?c=d#e', 'www.example.org'],
  ],
  ['见https://example.com/a，然后 "https://example.com/b"', ['https://example.com/a', 'https://example.com/b']],
  ['https:// and www. and xhttps://example.org and a@www.example.org', []],
])('addresses are links: %s', (text, links) => {
  const root = show(text);
  expect([...root.querySelectorAll('a')].map((link) => link.textContent)).toEqual(links);
  expect(root.textContent).toBe(text);
  for (const link of root.querySelectorAll('a')) {
    expect(link.getAttribute('href')).toMatch(/^https?:\/\//);
    expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  }
});

test('brackets after an address take no longer than other characters', () => {
  const start = performance.now();
  const root = show(`https://example.org/(a)${')'.repeat(31_000)}`);
  expect(performance.now() - start).toBeLessThan(500);
  expect(root.querySelector('a')?.textContent).toBe('https://example.org/(a)');
});

test('a script address stays text', () => {
  expect(show('javascript:alert(1) data:text/html,x').querySelector('a')).toBeNull();
});
