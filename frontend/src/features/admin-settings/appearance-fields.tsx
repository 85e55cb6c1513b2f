import { Input, Stack, Textarea } from '@chakra-ui/react';
import { LIMITS, type SiteLanguage } from '@tanya/contract';
import { useFormContext } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { SelectField } from './select-field';
import { RULES, type SettingsValues } from './settings-rules';

const LANGUAGES = {
  spec: 'language.spec',
  en: 'language.en',
  id: 'language.id',
  browser: 'settingsPage.browser',
} as const satisfies Record<SiteLanguage, string>;

export function AppearanceFields() {
  const { register, formState } = useFormContext<SettingsValues>();
  const { errors } = formState;
  return (
    <Stack gap="4">
      <FormField
        label={t('settingsPage.siteTitle')}
        hint={t('settingsPage.siteTitleHint')}
        error={errors.siteTitle?.message}
      >
        <Input {...register('siteTitle', { validate: RULES.siteTitle })} />
      </FormField>
      <FormField
        label={t('settingsPage.welcome')}
        hint={t('settingsPage.welcomeHint')}
        error={errors.welcomeMessage?.message}
      >
        <Textarea rows={2} {...register('welcomeMessage', { validate: RULES.welcomeMessage })} />
      </FormField>
      <FormField
        label={t('settingsPage.emptyThread')}
        hint={t('settingsPage.emptyThreadHint')}
        error={errors.emptyThreadMessage?.message}
      >
        <Input maxLength={LIMITS.emptyThreadMessage.max} {...register('emptyThreadMessage')} />
      </FormField>
      <FormField
        label={t('settingsPage.systemPrompt')}
        hint={t('settingsPage.systemPromptHint')}
        error={errors.systemPrompt?.message}
      >
        <Textarea rows={4} {...register('systemPrompt', { validate: RULES.systemPrompt })} />
      </FormField>
      <SelectField
        name="defaultLanguage"
        label={t('settingsPage.language')}
        hint={t('settingsPage.languageHint')}
        options={LANGUAGES}
      />
    </Stack>
  );
}
