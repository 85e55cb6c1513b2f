import type { PublicSettings, User } from '@tanya/contract';
import { languageFor, storeShown, siteLanguage, storeChoice, storedChoice } from './choice';

const site = (defaultLanguage: PublicSettings['defaultLanguage']) => ({ defaultLanguage }) as PublicSettings;
const member = (language: User['language']) => ({ language }) as User;

beforeEach(() => localStorage.clear());

describe('siteLanguage', () => {
  it('takes the first language of the browser that has a catalogue', () => {
    expect(siteLanguage('browser', ['de-DE', 'id-ID', 'en-US'])).toBe('id');
    expect(siteLanguage('browser', ['en-GB', 'id'])).toBe('en');
  });

  it('takes English for a browser without a language of the page', () => {
    expect(siteLanguage('browser', ['de-DE'])).toBe('en');
    expect(siteLanguage('browser', [])).toBe('en');
  });

  it('ignores the browser when the site has a language', () => {
    expect(siteLanguage('spec', ['id'])).toBe('spec');
  });
});

describe('languageFor', () => {
  it('prefers the choice of an account to that of the browser and the site', () => {
    storeChoice('en');
    expect(languageFor(member('id'), site('spec'))).toBe('id');
  });

  it('follows the site for an account without a choice, whatever a guest chose in the browser', () => {
    storeChoice('en');
    expect(languageFor(member(null), site('id'))).toBe('id');
  });

  it('takes the stored choice for a guest', () => {
    storeChoice('id');
    expect(languageFor(null, site('spec'))).toBe('id');
    storeChoice(null);
    expect(languageFor(null, site('spec'))).toBe('spec');
  });

  it('takes the language that was shown last while the settings are unknown', () => {
    expect(languageFor(undefined, undefined)).toBe('spec');
    storeShown('id');
    expect(languageFor(undefined, undefined)).toBe('id');
  });
});

test('ignores a stored value that is no language', () => {
  localStorage.setItem('tanya.language', 'xx');
  expect(storedChoice()).toBeNull();
});
