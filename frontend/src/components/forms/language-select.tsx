import { NativeSelect } from '@chakra-ui/react';
import { type Language, LANGUAGES } from '@tanya/contract';
import { t } from '../../app/i18n/translate';

interface LanguageSelectProps {
  /** null follows the site. */
  value: Language | null;
  onChange: (language: Language | null) => void;
  disabled?: boolean;
}

/** The choice of the page's language. Each option is in its own language. */
export function LanguageSelect({ value, onChange, disabled }: LanguageSelectProps) {
  return (
    <NativeSelect.Root maxW="20rem" disabled={disabled}>
      <NativeSelect.Field
        aria-label={t('account.language')}
        value={value ?? ''}
        onChange={({ target }) => onChange(LANGUAGES.find((language) => language === target.value) ?? null)}
      >
        <option value="">{t('language.site')}</option>
        {LANGUAGES.map((language) => (
          <option key={language} value={language}>
            {t(`language.${language}`)}
          </option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  );
}
