import { act, renderHook } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { showStored } from './show-stored';

test('stored values replace what was sent, also in lists, but not what was typed since', () => {
  const { result } = renderHook(() => {
    const form = useForm({ defaultValues: { name: 'a', tools: ['search'] } });
    return { form, dirtyFields: form.formState.dirtyFields };
  });
  const { form } = result.current;
  const sent = { name: 'b', tools: ['search'] };
  act(() => {
    form.setValue('name', 'c', { shouldDirty: true });
    showStored(form, { name: 'b', tools: ['search', 'calculator'] }, sent);
  });
  expect(form.getValues()).toEqual({ name: 'c', tools: ['search', 'calculator'] });
  expect(result.current.dirtyFields).toEqual({ name: true });
});
