import { jest } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
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
  await screen.findByText('the part');
});

test('renders a preloaded component at once', async () => {
  const Part = lazyWithPreload(() => Promise.resolve(partModule));
  await Part.preload();
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
  await Part.preload();
  show(Part);
  await screen.findByText('the part');
});

test('waits for a connection before it loads again', async () => {
  status = 'lost';
  const Part = lazyWithPreload(async () => {
    if (status === 'lost') throw new Error('offline');
    return partModule;
  });
  show(Part);
  await waitFor(() => expect(listeners.size).toBe(1));
  expect(screen.queryByText('waiting')).not.toBeNull();
  status = 'connected';
  listeners.forEach((listener) => listener());
  await screen.findByText('the part');
  expect(listeners.size).toBe(0);
});
