import { render, waitFor } from '@testing-library/react';
import { FakeTheme } from '../../../components/layout/fake-theme';
import RenderedMarkdown from '../rendered-markdown';

test('a formula is shown as its source until it can be rendered', async () => {
  const { container } = render(
    <FakeTheme>
      <RenderedMarkdown text={'So\n\\[ x_1 = y_2 \\]\nand $a^2$ for $5.'} streaming={false} scope="m1" />
    </FakeTheme>,
  );
  const seen = new Set<string>();
  const code: (string | null)[][] = [];
  const observer = new MutationObserver(() => {
    seen.add(container.textContent);
    code.push([...container.querySelectorAll('p > code')].map(({ textContent }) => textContent));
  });
  observer.observe(container, { childList: true, characterData: true, subtree: true });
  await waitFor(() => expect(container.querySelectorAll('.katex')).toHaveLength(2), { timeout: 30_000 });
  observer.disconnect();
  expect([...seen].filter((text) => text.includes('$$'))).toEqual([]);
  expect(code).toContainEqual(['x_1 = y_2', 'a^2']);
});
