import { type Setting, type SettingName, SETTINGS } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { checkAmount } from '../../components/forms/budget-values';
import { domainsIn, filledLines } from './setting-values';

/** The server reads it exactly. */
const DOMAIN = /^[^\s@/.]+(\.[^\s@/.]+)+$/;

/** Validates the text of a form field: true or the error message. */
type Rule = (text: string) => true | string;

/** The rule of a setting's fields. The server checks what has none, and everything again. */
export function ruleOf(name: SettingName): Rule {
  const setting: Setting = SETTINGS[name];
  switch (setting.kind) {
    case 'text':
      return textRule(setting);
    case 'whole':
    case 'wholes':
      return wholeRule(setting);
    case 'usd':
      return checkAmount;
    case 'link':
      return isLink;
    case 'address':
    case 'webhook':
      return isAddress;
    case 'domains':
      return (text) => domainsIn(text).every((domain) => DOMAIN.test(domain)) || t('settingsPage.domainsInvalid');
    case 'ideas':
      return ideasRule(setting);
    default:
      return () => true;
  }
}

const textRule =
  ({ min, max, sentences: { low, high } = {} }: Setting<'text'>): Rule =>
  (text) => {
    if (min > 0 && text.trim() === '') return t(`validation.${low ?? 'missingInformationHint'}`);
    // A field without a sentence takes no more characters.
    return high === undefined || text.length <= max || t(`validation.${high}`);
  };

export function wholeRule(setting: Setting<'whole' | 'wholes'> | { min: number; max: number }): Rule {
  const { min, max } = setting;
  const { low, high } = ('sentences' in setting && setting.sentences) || {};
  const range = () => t('toolSettings.stepsRange', { min, max });
  return (text) => {
    const value = text.trim();
    if (!/^-?\d+$/.test(value) || Number(value) < min) return low ? t(`validation.${low}`) : range();
    if (Number(value) > max) return high ? t(`validation.${high}`) : range();
    return true;
  };
}

/** A link that the page may show; the server refuses the same others. */
function isLink(value: string): true | string {
  const text = value.trim();
  const isValid = text === '' || (/^(https?:\/\/|mailto:)/i.test(text) && URL.canParse(text));
  return isValid || t('links.invalid');
}

/** The http address of a service. */
function isAddress(value: string): true | string {
  const text = value.trim();
  const isValid = text === '' || (/^https?:\/\//i.test(text) && URL.canParse(text));
  return isValid || t('connections.baseUrlInvalid');
}

const ideasRule =
  ({ max }: Setting<'ideas'>): Rule =>
  (text) => {
    const ideas = filledLines(text);
    if (ideas.length > max) return t('settingsPage.tooManyIdeas', { max });
    const repeated = ideas.find((idea, index) => ideas.indexOf(idea) !== index);
    return repeated === undefined || t('settingsPage.repeatedIdea', { idea: repeated });
  };
