import { Stack } from '@chakra-ui/react';
import { settingsOf } from '@tanya/contract';
import { useQuery } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import { findText, t } from '../../app/i18n/translate';
import { settingsQuery } from '../../app/queries/settings.query';
import { SettingField } from './setting-field';
import type { SettingsValues } from './setting-values';

export function LinkFields() {
  const { defaultValues } = useFormContext<SettingsValues>().formState;
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Stack gap="4">
      {settingsOf('link').map((name) => (
        <SettingField
          key={name}
          name={name}
          hint={findText(`settingHints.${name}`, { upgrade: t('chat.upgrade') }) ?? undefined}
          // Where the settings have no link, the one in effect is the environment's.
          placeholder={(defaultValues?.[name] === '' && settings?.links[name]) || 'https://'}
        />
      ))}
    </Stack>
  );
}
