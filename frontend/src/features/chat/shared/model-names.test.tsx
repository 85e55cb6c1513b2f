import { jest } from '@jest/globals';
import type { PublicModel } from '@tanya/contract';
import { waitFor } from '@testing-library/react';
import { modelsQuery } from '../../../app/queries/models.query';
import { queryClient } from '../../../app/queries/query-client';
import { toaster } from '../../../components/feedback/toast-store';
import { followModelNames, modelName } from './model-names';
import { composerModel } from './offered-models';

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
