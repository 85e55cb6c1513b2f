import { act, renderHook, waitFor } from '@testing-library/react';
import { currentUserQuery } from '../../../app/queries/user.query';
import { queryClient } from '../../../app/queries/query-client';
import { useAttachments } from './use-attachments';

beforeEach(() => {
  localStorage.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, null);
});

test('a chosen file keeps the message back while the code of uploads loads', async () => {
  const { result } = renderHook(() => useAttachments('1'));
  expect(result.current.isUploading).toBe(false);
  act(() => result.current.add([new File(['a note'], 'note.txt', { type: 'text/plain' })]));
  expect([result.current.list, result.current.isUploading]).toEqual([[], true]);
  await waitFor(() => expect(result.current.list).toHaveLength(1));
});
