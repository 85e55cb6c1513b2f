import { render } from '@testing-library/react';
import { RichText } from './rich-text';

test('renders each tag with its element and leaves other markup as text', () => {
  const { container } = render(
    <RichText
      text="Set a key in <settings>General Settings</settings>, or run <code>start</code>. <b>Not bold</b>"
      tags={{ settings: (words) => <a href="/admin/settings">{words}</a>, code: (words) => <code>{words}</code> }}
    />,
  );
  expect(container.innerHTML).toBe(
    'Set a key in <a href="/admin/settings">General Settings</a>, or run <code>start</code>. Not bold',
  );
});
