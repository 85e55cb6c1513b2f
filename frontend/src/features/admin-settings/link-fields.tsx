import { Input, Stack } from '@chakra-ui/react';
import { LIMITS, LINK_NAMES } from '@tanya/contract';
import { useQuery } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { settingsQuery } from '../../app/queries/settings.query';
import { FormField } from '../../components/forms/form-field';
import { RULES, type SettingsValues } from './settings-rules';

export function LinkFields() {
  const { register, formState } = useFormContext<SettingsValues>();
  const { errors, defaultValues } = formState;
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Stack gap="4">
      {LINK_NAMES.map((name) => (
        <FormField
          key={name}
          label={t(`links.${name}`)}
          hint={t(`links.${name}Hint`, { upgrade: t('chat.upgrade') })}
          error={errors[name]?.message}
        >
          <Input
            type="url"
            inputMode="url"
            autoComplete="off"
            maxLength={LIMITS.linkUrl.max}
            // Where the settings have no link, the one in effect is the environment's.
            placeholder={(defaultValues?.[name] === '' && settings?.links[name]) || 'https://'}
            {...register(name, { validate: RULES.link })}
          />
        </FormField>
      ))}
    </Stack>
  );
}
