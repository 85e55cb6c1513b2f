import { serve } from '../api/fake-server';
import { queryClient } from './query-client';
import { settingsQuery } from './settings.query';

const read = () => queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 });

describe('settingsQuery', () => {
  it('takes over what the page read before the app, once', async () => {
    const asked = serve({ '/api/general-settings': { siteTitle: 'Now' } });
    window.firstSettings = Promise.resolve({ siteTitle: 'First' } as never);
    expect(await read()).toEqual({ siteTitle: 'First' });
    expect(asked).toEqual([]);
    expect(await read()).toEqual({ siteTitle: 'Now' });
  });

  it('asks itself where that read failed', async () => {
    serve({ '/api/general-settings': { siteTitle: 'Now' } });
    window.firstSettings = Promise.resolve(null);
    expect(await read()).toEqual({ siteTitle: 'Now' });
  });
});
