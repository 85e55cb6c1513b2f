import { jest } from '@jest/globals';
import { TEXTS } from '@tanya/contract';
import { act, render, screen } from '@testing-library/react';
import { Thinking } from './thinking';
import { FakeTheme } from '../../../components/layout/fake-theme';

const HINT = 'This takes longer than usual. You can wait, or stop and try another model.';

const show = (isSilent: boolean, since?: number) =>
  render(
    <FakeTheme>
      <Thinking isSilent={isSilent} since={since} />
    </FakeTheme>,
  );
const wait = (seconds: number) => act(() => jest.advanceTimersByTime(seconds * 1_000));

describe('Thinking', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('shows its text after 2 s', () => {
    show(true);
    const look = () => screen.getByText(TEXTS.chat.thinking).className;
    const hidden = look();
    wait(1);
    expect(look()).toBe(hidden);
    wait(1);
    expect(look()).not.toBe(hidden);
  });

  it('shows the elapsed time and a hint after 12 s', () => {
    show(true);
    wait(11);
    expect(screen.queryByText(HINT)).toBeNull();
    wait(1);
    expect(screen.getByTestId('thinking').textContent).toBe(`${TEXTS.chat.thinking}12 s · ${HINT}`);
    wait(3);
    expect(screen.getByTestId('thinking').textContent).toContain('15 s');
  });

  it('counts from the start of the answer, also after a reload', () => {
    show(true, Date.now() - 40_000);
    expect(screen.getByTestId('thinking').textContent).toContain('40 s');
    wait(2);
    expect(screen.getByTestId('thinking').textContent).toContain('42 s');
  });

  it('shows no hint early when the server’s clock is ahead', () => {
    show(true, Date.now() + 3_600_000);
    wait(12);
    expect(screen.getByTestId('thinking').textContent).toContain('12 s');
  });

  it('shows no hint beside reasoning', () => {
    show(false);
    wait(60);
    expect(screen.queryByText(HINT)).toBeNull();
  });
});
