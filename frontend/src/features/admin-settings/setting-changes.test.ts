import { MASK, SETTINGS as DEFAULTS } from './fake-settings';
import { changesOf, undoingOf } from './setting-changes';

const SETTINGS = {
  ...DEFAULTS,
  openaiApiKey: `${MASK}abcd`,
  maxSteps: { guest: 0, free: 3, premium: 10 },
};

it('shows what differs before and after, and no key', () => {
  const request = {
    siteTitle: 'Ask',
    openaiApiKey: 'sk-secret',
    braveApiKey: '',
    maxSteps: { guest: 0, free: 5, premium: 10 },
  };
  expect(changesOf(request, SETTINGS)).toEqual({
    before: { siteTitle: 'Tanya', openaiApiKey: `${MASK}abcd`, braveApiKey: '', maxSteps: { free: 3 } },
    after: { siteTitle: 'Ask', openaiApiKey: MASK, braveApiKey: '', maxSteps: { free: 5 } },
  });
});

it('takes back what the page can read and send again', () => {
  const request = {
    siteTitle: 'Ask',
    openaiApiKey: 'sk-secret',
    openaiBaseUrl: 'https://other.example/v1',
    alertWebhookUrl: 'https://hooks.example/x',
    embeddingModelId: 'a/b',
  };
  expect(undoingOf(request, SETTINGS)).toEqual({ siteTitle: 'Tanya' });
});
