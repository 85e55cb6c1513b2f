import { jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { type ComponentType, Suspense } from 'react';

let status = 'connected';
const listeners = new Set<() => void>();
jest.unstable_mockModule('../../app/socket/socket', () => ({
  useConnection: { getState: () => ({ status }) },
  onConnected: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
}));
const { lazyWithPreload } = await import('./lazy-with-preload');

const settle = () => act(async () => undefined);

const partModule = { default: () => <p>the part</p> };

function show(Part: ComponentType) {
  return render(
    <Suspense fallback="waiting">
      <Part />
    </Suspense>,
  );
}

test('suspends until the chunk has loaded', async () => {
  const Part = lazyWithPreload(() => Promise.resolve(partModule));
  show(Part);
  expect(screen.queryByText('waiting')).not.toBeNull();
  await settle();
  expect(screen.queryByText('the part')).not.toBeNull();
});

test('renders a preloaded component at once', async () => {
  const Part = lazyWithPreload(() => Promise.resolve(partModule));
  void Part.preload();
  await settle();
  show(Part);
  expect(screen.queryByText('the part')).not.toBeNull();
});

test('loads again at the first render when the preload failed', async () => {
  let loads = 0;
  const Part = lazyWithPreload(async () => {
    loads += 1;
    if (loads === 1) throw new Error('offline');
    return partModule;
  });
  void Part.preload();
  await settle();
  show(Part);
  await settle();
  expect(screen.queryByText('the part')).not.toBeNull();
});

test('waits for a connection before it loads again', async () => {
  status = 'lost';
  const Part = lazyWithPreload(async () => {
    if (status === 'lost') throw new Error('offline');
    return partModule;
  });
  show(Part);
  await settle();
  expect(screen.queryByText('waiting')).not.toBeNull();
  status = 'connected';
  listeners.forEach((listener) => listener());
  await settle();
  expect(screen.queryByText('the part')).not.toBeNull();
  expect(listeners.size).toBe(0);
});
