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

const thePart = { default: () => <p>the part</p> };

function show(Part: ComponentType) {
  return render(
    <Suspense fallback="waiting">
      <Part />
    </Suspense>,
  );
}

test('suspends until the part is there', async () => {
  const Part = lazyWithPreload(() => Promise.resolve(thePart));
  show(Part);
  expect(screen.queryByText('waiting')).not.toBeNull();
  await settle();
  expect(screen.queryByText('the part')).not.toBeNull();
});

test('shows a part that was fetched ahead at once', async () => {
  const Part = lazyWithPreload(() => Promise.resolve(thePart));
  Part.preload();
  await settle();
  show(Part);
  expect(screen.queryByText('the part')).not.toBeNull();
});

test('asks again for a part that could not be fetched ahead', async () => {
  let asked = 0;
  const Part = lazyWithPreload(async () => {
    asked += 1;
    if (asked === 1) throw new Error('offline');
    return thePart;
  });
  Part.preload();
  await settle();
  show(Part);
  await settle();
  expect(screen.queryByText('the part')).not.toBeNull();
});

test('waits for a connection where there is none', async () => {
  status = 'lost';
  const Part = lazyWithPreload(async () => {
    if (status === 'lost') throw new Error('offline');
    return thePart;
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
