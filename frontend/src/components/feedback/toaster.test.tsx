import { jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { loadTexts, showLanguage } from '../../app/i18n/load-texts';
import { notify, type Notice } from './notify';
import { toaster } from './toast-store';
import { Toaster } from './toaster';
import { FakeTheme } from '../layout/fake-theme';

/** Shows a notice; `notify` loads the toast store first. */
const show = (notice: Notice) =>
  act(async () => {
    notify(notice);
    await new Promise((resolve) => setTimeout(resolve));
  });

const shown = () => screen.queryAllByRole('status').filter((toast) => toast.dataset['state'] === 'open');

// The toast machine starts in a microtask after the render.
beforeEach(async () => {
  await act(async () => {
    render(
      <FakeTheme>
        <Toaster />
      </FakeTheme>,
    );
  });
});
afterEach(() => act(() => toaster.remove()));

test('replaces the previous notice', async () => {
  await show({ title: 'Thread renamed' });
  await screen.findByText('Thread renamed');
  await show({ title: 'Failed to delete thread', description: 'Please try again.', kind: 'error' });
  await screen.findByText('Failed to delete thread');
  await waitFor(() => expect(shown()).toHaveLength(1));
  expect(shown()[0]?.dataset['type']).toBe('error');
  expect(shown()[0]?.textContent).toContain('Please try again.');
});

test('stands at the bottom right', async () => {
  await show({ title: 'Model created' });
  const toast = (await screen.findByText('Model created')).closest<HTMLElement>('[data-placement]');
  expect(toast?.dataset['placement']).toBe('bottom-end');
});

test('has names for screen readers in the language of the page', async () => {
  await loadTexts('more');
  await act(() => showLanguage('id'));
  cleanup();
  await act(async () => {
    render(
      <FakeTheme>
        <Toaster />
      </FakeTheme>,
    );
  });
  await show({ title: 'Model dibuat' });
  await screen.findByText('Model dibuat');
  expect(screen.getByRole('region', { name: 'Notifikasi (F8)' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Tutup' })).toBeDefined();
  await act(() => showLanguage('spec'));
});

test('closes a notice by its button', async () => {
  await show({ title: 'Model created' });
  await screen.findByText('Model created');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(shown()).toHaveLength(0));
});

test('stands above a composer at the lower edge of the window, and never over the header', async () => {
  const observed: (() => void)[] = [];
  const original = globalThis.ResizeObserver;
  globalThis.ResizeObserver = class {
    constructor(place: () => void) {
      observed.push(place);
    }
    observe() {}
    unobserve() {}
    disconnect() {}
  } as unknown as typeof ResizeObserver;
  const composer = document.createElement('div');
  composer.className = 'composer';
  document.body.append(composer);
  const stand = (top: number, bottom: number): string => {
    composer.getBoundingClientRect = () => ({ top, bottom }) as DOMRect;
    for (const place of observed) place();
    return document.documentElement.style.getPropertyValue('--above-composer');
  };
  await show({ title: 'Model created' });
  await screen.findByText('Model created');
  const height = window.innerHeight;
  expect(stand(height - 300, height - 12)).toBe('max(7.5rem, min(308px, 100dvh - 56px))');
  const notice = screen.getByText('Model created').closest<HTMLElement>('[data-placement]')!;
  Object.defineProperty(notice, 'offsetHeight', { value: 90 });
  expect(stand(20, height - 12)).toBe(`max(7.5rem, min(${height - 12}px, 100dvh - 146px))`);
  expect(stand(200, 400)).toBe('7.5rem');
  composer.setAttribute('inert', '');
  expect(stand(height - 300, height - 12)).toBe('7.5rem');
  composer.remove();
  const usedUp = document.createElement('div');
  usedUp.className = 'composer-notice';
  usedUp.getBoundingClientRect = () => ({ top: height - 200, bottom: height - 12 }) as DOMRect;
  document.body.append(usedUp);
  // It loads after the notice is shown.
  const place = () => document.documentElement.style.getPropertyValue('--above-composer');
  await waitFor(() => expect(place()).toBe('max(7.5rem, min(208px, 100dvh - 146px))'));
  usedUp.remove();
  globalThis.ResizeObserver = original;
});

test('stands below the header of a phone whose page has no composer, however tall it is', async () => {
  const width = jest.replaceProperty(window, 'innerWidth', 390);
  const height = jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(240);
  await show({ title: 'Registration failed', kind: 'error' });
  await screen.findByText('Registration failed');
  const place = () => document.documentElement.style.getPropertyValue('--above-composer');
  expect(place()).toBe('calc(100dvh - 296px)');
  height.mockRestore();
  width.restore();
  await show({ title: 'Model created' });
  await screen.findByText('Model created');
  expect(place()).toBe('7.5rem');
});
