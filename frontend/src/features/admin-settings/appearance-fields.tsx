import { Input, Stack, Textarea } from '@chakra-ui/react';
import { LIMITS } from '@tanya/contract';
import { useFormContext } from 'react-hook-form';
import { FormField } from '../../components/forms/form-field';
import { RULES, type SettingsValues } from './settings-rules';

export function AppearanceFields() {
  const { register, formState } = useFormContext<SettingsValues>();
  const { errors } = formState;
  return (
    <Stack gap="4">
      <FormField
        label="Site Title"
        hint="Shown in the sidebar and in the browser’s tab."
        error={errors.siteTitle?.message}
      >
        <Input {...register('siteTitle', { validate: RULES.siteTitle })} />
      </FormField>
      <FormField label="Welcome Message" hint="Greets people on the home page." error={errors.welcomeMessage?.message}>
        <Textarea rows={2} {...register('welcomeMessage', { validate: RULES.welcomeMessage })} />
      </FormField>
      <FormField
        label="Empty Thread Message"
        hint="Shown in a thread that has no messages."
        error={errors.emptyThreadMessage?.message}
      >
        <Input maxLength={LIMITS.emptyThreadMessage.max} {...register('emptyThreadMessage')} />
      </FormField>
      <FormField
        label="System Prompt"
        hint="Given to the model before every conversation. People don’t see it."
        error={errors.systemPrompt?.message}
      >
        <Textarea rows={4} {...register('systemPrompt', { validate: RULES.systemPrompt })} />
      </FormField>
    </Stack>
  );
}
