import { FALLBACK_MODEL, type PublicModel } from '@tanya/contract';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { effortOf, storeEffort } from '../../../app/storage/reasoning-efforts';
import EffortSelect from './effort-select';
import { FakeTheme } from '../../../components/layout/fake-theme';

const model = (modelId: string, reasoningEfforts: PublicModel['reasoningEfforts']): PublicModel => ({
  ...FALLBACK_MODEL,
  modelId,
  reasoningEfforts,
});
const thinker = model('a/thinker', ['low', 'high']);

const show = (shown: PublicModel) =>
  render(
    <FakeTheme>
      <EffortSelect model={shown} />
    </FakeTheme>,
  );
const field = () => screen.getByLabelText<HTMLSelectElement>('Reasoning effort');

beforeEach(() => localStorage.clear());

describe('EffortSelect', () => {
  it('stores the choice for each model', () => {
    const { unmount } = show(thinker);
    expect([...field().options].map(({ value }) => value)).toEqual(['', 'low', 'high']);
    fireEvent.change(field(), { target: { value: 'high' } });
    expect(effortOf(thinker)).toBe('high');
    unmount();
    show(thinker);
    expect(field().value).toBe('high');
    expect(effortOf(model('b/other', ['low', 'high']))).toBeUndefined();
    fireEvent.change(field(), { target: { value: '' } });
    expect(effortOf(thinker)).toBeUndefined();
  });

  it('shows a choice of another tab', () => {
    show(thinker);
    storeEffort(thinker, 'low');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'tanya.efforts' })));
    expect(field().value).toBe('low');
  });

  it('drops a choice that the model does not support', () => {
    storeEffort(thinker, 'high');
    expect(effortOf(model('a/thinker', ['low']))).toBeUndefined();
    expect(effortOf(model('a/thinker', undefined))).toBeUndefined();
    localStorage.setItem('tanya.efforts', 'no JSON');
    expect(effortOf(thinker)).toBeUndefined();
  });
});
