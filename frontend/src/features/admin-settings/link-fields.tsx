import { Input, Stack } from '@chakra-ui/react';
import { LIMITS, type LinkName, TEXTS } from '@tanya/contract';
import { useQuery } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import { settingsQuery } from '../../app/queries/settings.query';
import { FormField } from '../../components/forms/form-field';
import { RULES, type SettingsValues } from './settings-rules';

const FIELDS: { name: LinkName; label: string; hint: string }[] = [
  { name: 'upgradeUrl', label: 'Upgrade link', hint: `Opened by “${TEXTS.chat.upgrade}”. Without it a dialog opens.` },
  {
    name: 'guestSignupUrl',
    label: 'Sign-up link',
    hint: 'Where guests without messages sign up. Without it the registration form opens.',
  },
  { name: 'proAppUrl', label: 'Pro app link', hint: 'The AI Pro entry of the sidebar.' },
  { name: 'termsUrl', label: 'Terms and conditions', hint: 'Linked from the registration form.' },
  {
    name: 'contactUrl',
    label: 'Contact',
    hint: 'Linked wherever people are asked to contact the administrator. mailto: works too.',
  },
];

export function LinkFields() {
  const { register, formState } = useFormContext<SettingsValues>();
  const { errors, defaultValues } = formState;
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Stack gap="4">
      {FIELDS.map(({ name, label, hint }) => (
        <FormField key={name} label={label} hint={hint} error={errors[name]?.message}>
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
