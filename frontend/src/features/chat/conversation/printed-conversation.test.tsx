import { act, render, screen } from '@testing-library/react';
import { holdTitleMark, setTitle } from '../../../app/browser/page-title';
import { FakePage } from '../../../components/layout/fake-page';
import { PrintedConversation } from './printed-conversation';

test('the heading on paper is the title without its mark', () => {
  setTitle('Rainbows · Asisten AI');
  const endMark = holdTitleMark();
  render(
    <FakePage>
      <PrintedConversation items={[]} />
    </FakePage>,
  );
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(screen.getByRole('heading').textContent).toBe('Rainbows · Asisten AI');
  endMark();
});
