import { jest } from '@jest/globals';
import { FALLBACK_MODEL, type PublicModel } from '@tanya/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { serve } from '../../../app/api/fake-server';
import { modelsQuery } from '../../../app/queries/models.query';
import { queryClient } from '../../../app/queries/query-client';
import { toaster } from '../../../components/feedback/toast-store';
import { useModelChoice } from '../model-picker/use-model-choice';
import { followModelNames, modelName } from './model-names';
import { composerModel } from './picker-models';

const model = (modelId: string, name: string) => ({ modelId, name, isEnabled: true }) as PublicModel;

test('a model that is deleted keeps its name, and the user is told if the composer showed it', async () => {
  queryClient.setQueryData(modelsQuery.queryKey, [model('gone', 'Model Gone'), model('y', 'Model Y')]);
  followModelNames();
  composerModel.id = 'y';
  const create = jest.spyOn(toaster, 'create').mockReturnValue('');
  const titles = () => create.mock.calls.map(([{ title }]) => title);
  queryClient.setQueryData(modelsQuery.queryKey, [model('y', 'Model Y'), model('z', 'Model Z')]);
  expect(modelName('gone')).toBe('Model Gone');
  expect(titles()).toEqual([]);
  queryClient.setQueryData(modelsQuery.queryKey, [model('z', 'Model Z')]);
  await waitFor(() => expect(create).toHaveBeenCalled());
  expect(titles()).toEqual(['Model Y is no longer available.']);
  expect(modelName('y')).toBe('Model Y');
  expect(modelName('unknown')).toBe('unknown');
});

test('a page that opens reports no model as gone while it reads the list', async () => {
  const offered = { ...model('z', 'Model Z'), isInPicker: true, kind: 'chat' };
  composerModel.id = null;
  // A model that this browser knows, and that the composer shows until the list is read.
  queryClient.setQueryData(modelsQuery.queryKey, [FALLBACK_MODEL]);
  queryClient.clear();
  serve({ '/api/models': [offered], '/api/session': { user: null }, '/api/settings/default-model': { modelId: 'z' } });
  const create = jest.spyOn(toaster, 'create').mockReturnValue('');
  create.mockClear();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useModelChoice([]), { wrapper });
  expect(result.current.model).toBe(FALLBACK_MODEL);
  await waitFor(() => expect(result.current.model.modelId).toBe('z'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(create).not.toHaveBeenCalled();
});
