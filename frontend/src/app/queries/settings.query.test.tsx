import { serve } from '../api/fake-server';
import { queryClient } from './query-client';
import { settingsQuery } from './settings.query';

const read = () => queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 });

describe('settingsQuery', () => {
  it('uses the read that began before the app, once', async () => {
    const asked = serve({ '/api/general-settings': { siteTitle: 'Now' } });
    window.firstSettings = Promise.resolve({ siteTitle: 'First' } as never);
    expect(await read()).toEqual({ siteTitle: 'First' });
    expect(asked).toEqual([]);
    expect(await read()).toEqual({ siteTitle: 'Now' });
  });

  it('reads the settings itself when that read failed', async () => {
    serve({ '/api/general-settings': { siteTitle: 'Now' } });
    window.firstSettings = Promise.resolve(null);
    expect(await read()).toEqual({ siteTitle: 'Now' });
  });
});
