import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { matchOnly } from '../../app/browser/fake-media';
import { PHONE } from '../../app/browser/media-queries';
import { UnsavedDialog } from '../dialogs/unsaved-dialog';
import { FakeRouter } from '../layout/fake-router';
import { useUnsavedGuard } from './use-unsaved-guard';
import { FakeTheme } from '../layout/fake-theme';

function Form({ isChanged }: { isChanged: boolean }) {
  const guard = useUnsavedGuard(() => isChanged);
  if (!guard.isAsking) return null;
  const save = () => void saved.then(guard.leave);
  return <UnsavedDialog isSaving={false} onStay={guard.stay} onDiscard={guard.leave} onSave={save} />;
}

let history: RouterHistory;
/** The save of the form. */
let saved: Promise<void>;

async function show(isChanged = true) {
  window.history.pushState(null, '', '/before');
  history = createBrowserHistory();
  history.push('/form');
  history.flush();
  const { unmount } = render(
    <FakeTheme>
      <FakeRouter history={history}>
        <Form isChanged={isChanged} />
      </FakeRouter>
    </FakeTheme>,
  );
  return { user: userEvent.setup(), unmount };
}

const path = () => window.location.pathname;
const question = () => screen.findByRole('alertdialog', { name: 'Unsaved changes' });
const press = async (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.click(screen.getByRole('button', { name }));
/** Waits for pending moves in the history. */
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 50)));
const closed = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

beforeEach(() => matchOnly());
afterEach(() => history.destroy());

describe.each([
  ['on a wide screen', []],
  ['on a phone', [PHONE]],
])('%s', (_, queries) => {
  beforeEach(() => matchOnly(...queries));

  it('asks before a link is followed, and follows it after Discard', async () => {
    const { user } = await show();
    act(() => history.push('/after'));
    await question();
    expect(path()).toBe('/form');
    await press(user, 'Discard');
    await waitFor(() => expect(path()).toBe('/after'));
    await closed();
  });

  it('asks before Back, and stays', async () => {
    const { user } = await show();
    history.back();
    await question();
    await press(user, 'Stay');
    await closed();
    await waitFor(() => expect(path()).toBe('/form'));
    act(() => history.push('/after'));
    await question();
  });

  it('asks before Back, and goes back after Discard', async () => {
    const { user } = await show();
    history.back();
    await question();
    await press(user, 'Discard');
    await waitFor(() => expect(path()).toBe('/before'));
    await closed();
  });

  it('asks before Back, and goes back after an asynchronous Save', async () => {
    let finishSave = () => undefined as void;
    saved = new Promise((resolve) => (finishSave = resolve));
    const { user } = await show();
    history.back();
    await question();
    await press(user, 'Save');
    // Outside `act`, as in the browser: React renders later.
    setTimeout(finishSave);
    await waitFor(() => expect(path()).toBe('/before'));
    await closed();
    await settled();
    expect(path()).toBe('/before');
  });
});

it('does not ask without changes', async () => {
  await show(false);
  act(() => history.push('/after'));
  await waitFor(() => expect(path()).toBe('/after'));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('does not ask for a section of the same page', async () => {
  await show();
  act(() => history.push('/form#links'));
  await waitFor(() => expect(window.location.hash).toBe('#links'));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('makes the browser ask before the page is reloaded or closed', async () => {
  const { unmount } = await show();
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(leave()).toBe(true);
  unmount();
  expect(leave()).toBe(false);
});
