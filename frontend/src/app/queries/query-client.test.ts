import { QueryObserver } from '@tanstack/react-query';
import { queryClient } from './query-client';

/** Observes a query that has not been read. @returns the answers that its reads wait for, and what is shown */
function observe() {
  queryClient.clear();
  const answers: ((answer: string) => void)[] = [];
  const queryKey = ['harbours'];
  const queryFn = () => new Promise<string>((resolve) => void answers.push(resolve));
  const observer = new QueryObserver(queryClient, { queryKey, queryFn });
  const end = observer.subscribe(() => undefined);
  return { queryKey, answers, shown: () => observer.getCurrentResult().data, end };
}

test('data that changes during its first read are read again', async () => {
  const { queryKey, answers, shown, end } = observe();
  const isReadAgain = queryClient.invalidateQueries({ queryKey });
  expect(answers).toHaveLength(2);
  answers[1]!('after the change');
  answers[0]!('before the change');
  await isReadAgain;
  expect(shown()).toBe('after the change');
  end();
});

test('a first read goes on when its data are only marked as stale', async () => {
  const { queryKey, answers, shown, end } = observe();
  await queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
  expect(answers).toHaveLength(1);
  const isRead = queryClient.getQueryCache().find({ queryKey })!.fetch();
  answers[0]!('the only answer');
  await isRead;
  expect(shown()).toBe('the only answer');
  end();
});
