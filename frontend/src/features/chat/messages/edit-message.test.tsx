import { LIMITS } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { EditMessage } from './edit-message';
import { FakeTheme } from '../../../components/layout/fake-theme';

function show(text: string, { stored = text, hasFiles = false } = {}) {
  const saved: string[] = [];
  render(
    <FakeTheme>
      <EditMessage
        text={text}
        stored={stored}
        isIdle
        hasFiles={hasFiles}
        onEdit={() => undefined}
        onSave={(value) => saved.push(value)}
        onCancel={() => undefined}
      />
    </FakeTheme>,
  );
  const field = screen.getByLabelText<HTMLTextAreaElement>('Edit your message');
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });
  return { saved, field, send, user: userEvent.setup() };
}

test('an edited message is sent by the button or by Enter', async () => {
  const { saved, field, send, user } = show('halo');
  await user.type(field, ' dunia');
  await user.click(send);
  await user.type(field, '{Enter}');
  expect(saved).toEqual(['halo dunia', 'halo dunia']);
});

test('begins with the caret after the last character', async () => {
  const { field, user } = show('halo');
  expect(document.activeElement).toBe(field);
  await user.keyboard(' dunia');
  expect(field.value).toBe('halo dunia');
});

test('Ctrl, Cmd and Shift with Enter insert a line break', async () => {
  const { saved, field, user } = show('a');
  await user.type(field, '{Control>}{Enter}{/Control}b{Meta>}{Enter}{/Meta}c{Shift>}{Enter}{/Shift}d');
  expect(field.value).toBe('a\nb\nc\nd');
  expect(saved).toEqual([]);
});

test('a text over the limit cannot be sent and shows the limit', async () => {
  const { saved, field, send, user } = show('x'.repeat(LIMITS.messageText));
  expect(send.disabled).toBe(false);
  await user.type(field, 'y{Enter}');
  expect(send.disabled).toBe(true);
  expect(saved).toEqual([]);
  expect(screen.getByText('32,001 of 32,000 characters. Shorten the text to send it.')).toBeDefined();
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

test('refuses a paste far over the limit and keeps the text', async () => {
  const { field, user } = show('halo');
  await user.click(field);
  await user.paste('x'.repeat(LIMITS.messageText * 4));
  expect(field.value).toBe('halo');
});

test('a text that differs from that of the message counts as unsaved, also one that a refused edit brought back', async () => {
  const { field, user } = show('a better question', { stored: 'a question' });
  expect(field.closest('[data-saved=false]')).not.toBeNull();
  await user.clear(field);
  await user.type(field, 'a question');
  expect(field.closest('[data-saved=true]')).not.toBeNull();
});

test('a message with files may be without a text', async () => {
  const { saved, field, send, user } = show('halo', { hasFiles: true });
  await user.clear(field);
  await user.click(send);
  expect(saved).toEqual(['']);
});
