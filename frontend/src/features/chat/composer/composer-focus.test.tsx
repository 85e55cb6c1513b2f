import { cleanup, render, screen } from '@testing-library/react';
import { matchOnly } from '../../../app/browser/fake-media';
import { CAN_HOVER } from '../../../app/browser/media-queries';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { Composer } from './composer';
import { FakeTheme } from '../../../components/layout/fake-theme';

const attachments = {
  list: [],
  isUploading: false,
  hasFailed: false,
  add: () => undefined,
  addText: () => undefined,
  retry: () => undefined,
  remove: () => undefined,
  clear: () => undefined,
};

/** Shows a conversation beside the element that opened it. */
function openFrom(opener: 'button' | 'field', isSending = false) {
  const view = (isSending: boolean, key = '1') => (
    <FakeTheme>
      {opener === 'button' ? <button type="button">New chat</button> : <input aria-label="Title" />}
      {key !== '0' && (
        <Composer
          key={key}
          conversation={key}
          attachments={attachments}
          isSending={isSending}
          answering={null}
          onSend={() => undefined}
          onEditLast={() => false}
          onStop={() => undefined}
          status={null}
        />
      )}
    </FakeTheme>
  );
  const { rerender } = render(view(isSending, '0'));
  const element = opener === 'button' ? screen.getByText('New chat') : screen.getByLabelText('Title');
  element.focus();
  rerender(view(isSending));
  return {
    element,
    field: () => screen.getByLabelText('Message'),
    setSending: (next: boolean) => rerender(view(next)),
  };
}

describe('the focus of the composer', () => {
  beforeEach(() => {
    queryClient.setQueryData(currentUserQuery.queryKey, null);
    matchOnly(CAN_HOVER);
  });
  afterEach(() => {
    cleanup();
    matchOnly();
  });

  it('moves from the button that opens a conversation to the message field', () => {
    const { field } = openFrom('button');
    expect(document.activeElement).toBe(field());
  });

  it('stays where the user types', () => {
    const { element } = openFrom('field');
    expect(document.activeElement).toBe(element);
  });

  it('stays on a button when a send gets its ack', () => {
    const { element, setSending } = openFrom('button');
    setSending(true);
    element.focus();
    setSending(false);
    expect(document.activeElement).toBe(element);
  });

  it('stays on the button on touch devices', () => {
    matchOnly('(hover: none)');
    const { element } = openFrom('button');
    expect(document.activeElement).toBe(element);
  });
});
