import { Menu } from '@chakra-ui/react';
import { jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel, type UserEvent } from '@testing-library/user-event';
import { AnchoredMenu } from '../buttons/anchored-menu';
import { Modal } from './modal';
import { FakeTheme } from '../layout/fake-theme';

/**
 * Resolves when the dialog and the menu have handled the last step. They notice clicks outside from a task after the
 * next frame on, and a loaded machine may have its frames later than any fixed time.
 */
const settled = () =>
  act(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => setTimeout(resolve));
  });

async function opened(options: { isLocked?: boolean; isQuick?: boolean } = {}) {
  const onClose = jest.fn();
  render(
    <FakeTheme>
      <button type="button">Open menu</button>
      <Modal title="Create an account" onClose={onClose} {...options}>
        <form>
          <input aria-label="Username" />
          <input type="search" aria-label="Search" />
        </form>
      </Modal>
    </FakeTheme>,
  );
  await screen.findByRole('dialog');
  await settled();
  return onClose;
}

test('stays open when the focus moves outside', async () => {
  const onClose = await opened();
  screen.getByText('Open menu').focus();
  await settled();
  expect(onClose).not.toHaveBeenCalled();
});

test('stays open when the menu that opened it closes', async () => {
  const onClose = jest.fn();
  const page = (hasMenu: boolean, hasDialog: boolean) => (
    <FakeTheme>
      {hasMenu && (
        <AnchoredMenu
          anchor={document.body}
          placement="bottom-end"
          onSelect={() => undefined}
          onClose={() => undefined}
        >
          <Menu.Content>
            <Menu.Item value="share">Share</Menu.Item>
          </Menu.Content>
        </AnchoredMenu>
      )}
      {hasDialog && <Modal title="Share chat" onClose={onClose} />}
    </FakeTheme>
  );
  const { rerender } = render(page(true, false));
  await screen.findByRole('menuitem');
  await settled();
  rerender(page(true, true));
  await screen.findByRole('dialog');
  await settled();
  rerender(page(false, true));
  await settled();
  expect(onClose).not.toHaveBeenCalled();
});

test('closes on browser back', async () => {
  const onClose = await opened();
  window.dispatchEvent(new PopStateEvent('popstate'));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('a locked dialog stays open on Escape, on a click outside and on browser back', async () => {
  const onClose = await opened({ isLocked: true });
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  await user.keyboard('{Escape}');
  await user.click(document.body);
  window.dispatchEvent(new PopStateEvent('popstate'));
  await settled();
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
});

test('closes on a click outside', async () => {
  const onClose = await opened();
  await userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never }).click(document.body);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});

test('keeps an entry in a form on a click outside, and closes after a search', async () => {
  const onClose = await opened();
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  await user.type(screen.getByLabelText('Username'), 'sari');
  await user.click(document.body);
  await settled();
  expect(onClose).not.toHaveBeenCalled();
  cleanup();
  const onCloseSearch = await opened();
  await user.type(screen.getByLabelText('Search'), 'harbour');
  await user.click(document.body);
  await waitFor(() => expect(onCloseSearch).toHaveBeenCalledTimes(1));
});

test.each([
  ['Escape', (user: UserEvent) => user.keyboard('{Escape}')],
  ['the close button', (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Close' }))],
  ['browser back', async () => act(() => window.dispatchEvent(new PopStateEvent('popstate')))],
])('asks before an entry is lost on %s', async (_, leave) => {
  const onClose = await opened();
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  const field = screen.getByLabelText<HTMLInputElement>('Username');
  await user.type(field, 'sari');
  await leave(user);
  const question = await screen.findByRole('alertdialog', { name: 'Unsaved changes' });
  await settled();
  await user.click(within(question).getByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect([onClose.mock.calls.length, field.value]).toEqual([0, 'sari']);
  await settled();
  await leave(user);
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('closes a quick dialog with an entry on Escape without a question', async () => {
  const onClose = await opened({ isQuick: true });
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  await user.type(screen.getByLabelText('Username'), 'sari');
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('closes on a click outside once the entry is saved, and not after a further entry', async () => {
  const onClose = jest.fn();
  const page = (isSaved: boolean) => (
    <FakeTheme>
      <Modal title="Your account" onClose={onClose}>
        <form data-saved={isSaved}>
          <input aria-label="Name" />
        </form>
      </Modal>
    </FakeTheme>
  );
  const view = render(page(true));
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  await user.type(await screen.findByLabelText('Name'), 'Sari');
  await settled();
  view.rerender(page(false));
  await user.click(document.body);
  await settled();
  expect(onClose).not.toHaveBeenCalled();
  view.rerender(page(true));
  await user.click(document.body);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});

test('asks about a change without an input, such as a removed row', async () => {
  const onClose = jest.fn();
  render(
    <FakeTheme>
      <Modal title="Your account" onClose={onClose}>
        <form data-saved={false} />
      </Modal>
    </FakeTheme>,
  );
  await screen.findByRole('dialog');
  await userEvent.setup().keyboard('{Escape}');
  await screen.findByRole('alertdialog', { name: 'Unsaved changes' });
  expect(onClose).not.toHaveBeenCalled();
});

test('closes on a click outside when the form with the entry is gone', async () => {
  const onClose = jest.fn();
  const page = (hasForm: boolean) => (
    <FakeTheme>
      <Modal title="Your account" onClose={onClose}>
        {hasForm && (
          <form>
            <input aria-label="Password" />
          </form>
        )}
      </Modal>
    </FakeTheme>
  );
  const view = render(page(true));
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  await user.type(await screen.findByLabelText('Password'), 'a quiet harbour');
  await settled();
  view.rerender(page(false));
  await user.click(document.body);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});

test('closes on Escape', async () => {
  const onClose = await opened();
  await userEvent.setup().keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
});
