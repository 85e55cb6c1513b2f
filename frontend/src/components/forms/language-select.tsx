import { type Language, LANGUAGES } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { Select } from './select';

interface LanguageSelectProps {
  /** null follows the site. */
  value: Language | null;
  onChange: (language: Language | null) => void;
  disabled?: boolean;
}

/** The choice of the page's language. Each option is in its own language. */
export function LanguageSelect({ value, onChange, disabled }: LanguageSelectProps) {
  return (
    <Select
      root={{ maxW: '20rem', disabled }}
      aria-label={t('account.language')}
      value={value ?? ''}
      onChange={({ target }) => onChange(LANGUAGES.find((language) => language === target.value) ?? null)}
      options={[
        ['', t('language.site')],
        ...LANGUAGES.map((language) => [language, t(`language.${language}`)] as const),
      ]}
    />
  );
}
