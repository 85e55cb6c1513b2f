import { Badge, Flex, Input, Textarea } from '@chakra-ui/react';
import { LIMITS, type ModelKind, type Setting, type SettingName, SETTINGS } from '@tanya/contract';
import type { ReactNode } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import { findText, t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { PasswordInput } from '../../components/forms/password-input';
import { settingChoices } from '../../components/forms/setting-choices';
import { ruleOf } from './setting-rule';
import type { SettingsField, SettingsValues } from './setting-values';
import { Select } from '../../components/forms/select';
import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../app/queries/models.query';
import type { PlainTextKey } from '../../texts/catalogue';

interface SettingFieldProps {
  name: SettingName & SettingsField;
  /** Without one, the name of the setting. */
  label?: string;
  /** Without one, the text of `settingHints`, if there is one. */
  hint?: string;
  /** Of a text: the lines of a field with several. */
  rows?: number;
  placeholder?: string;
  children?: ReactNode;
}

/** The form field of a setting. Its input, bounds and rule follow from the declaration. */
export function SettingField(props: SettingFieldProps) {
  const { name, children, label = t(`settingNames.${name}`), hint = findText(`settingHints.${name}`) } = props;
  const { control, formState } = useFormContext<SettingsValues>();
  const isFilled = useWatch({ control, name }) !== '';
  const isKey = SETTINGS[name].kind === 'key';
  const input = <SettingInput {...props} />;
  return (
    <FormField
      label={isKey ? <KeyLabel label={label} isSet={isFilled} /> : label}
      hint={isKey && isFilled ? t('settingsPage.clearHint') : hint}
      error={formState.errors[name]?.message}
    >
      {children ? (
        <Flex gap="2" width="100%">
          {input}
          {children}
        </Flex>
      ) : (
        input
      )}
    </FormField>
  );
}

const KeyLabel = ({ label, isSet }: { label: string; isSet: boolean }) => (
  <Flex as="span" gap="2" align="center">
    {label}
    {isSet && (
      <Badge size="xs" colorPalette="jade">
        {t('settings.keySet')}
      </Badge>
    )}
  </Flex>
);

const URL_LENGTHS = { link: LIMITS.linkUrl.max, address: LIMITS.baseUrl.max, webhook: LIMITS.webhookUrl.max };

function SettingInput({ name, rows, placeholder }: SettingFieldProps) {
  const { register } = useFormContext<SettingsValues>();
  const field = register(name, { validate: ruleOf(name) });
  const setting: Setting = SETTINGS[name];
  switch (setting.kind) {
    case 'choice':
    case 'switch':
    case 'switches':
      return (
        <Select
          root={{ maxW: '20rem' }}
          {...field}
          options={Object.entries(settingChoices(name)).map(([value, key]) => [value, t(key)])}
        />
      );
    case 'model':
      return <ModelSelect name={name} kind={setting.modelKind} none={settingChoices(name)['']} />;
    case 'key':
      return (
        <PasswordInput
          autoComplete="new-password"
          fontFamily="mono"
          maxLength={LIMITS.providerKey.max}
          // The masked key can only be replaced as a whole.
          onFocus={(event) => event.target.select()}
          {...field}
        />
      );
    case 'link':
    case 'address':
    case 'webhook':
      return (
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={URL_LENGTHS[setting.kind]}
          placeholder={placeholder}
          {...field}
        />
      );
    case 'email':
      return <Input type="email" autoComplete="off" maxLength={LIMITS.email.max} {...field} />;
    case 'whole':
      return <Input type="number" inputMode="numeric" min={setting.min} max={setting.max} {...field} />;
    case 'usd':
      return <Input inputMode="decimal" maxLength={24} {...field} />;
    default: {
      // With a sentence, a text that is too long is shown with it instead of being cut.
      const maxLength = setting.kind === 'text' && !setting.sentences?.high ? setting.max : undefined;
      return rows ? (
        <Textarea rows={rows} maxLength={maxLength} {...field} />
      ) : (
        <Input maxLength={maxLength} {...field} />
      );
    }
  }
}

interface ModelSelectProps {
  name: SettingsField;
  kind: ModelKind;
  /** Label of the empty choice. */
  none?: PlainTextKey;
}

/** A choice among the enabled models of a kind. The chosen one stays in the list when it is no longer offered. */
function ModelSelect({ name, kind, none }: ModelSelectProps) {
  const { control } = useFormContext<SettingsValues>();
  const { field } = useController({ control, name });
  const { data: models = [] } = useQuery(modelsQuery);
  const offered = models.filter((model) => model.kind === kind && model.isEnabled);
  const options = offered.map((model) => [model.modelId, `${model.name} (${model.provider})`] as const);
  const isGone = field.value !== '' && !offered.some(({ modelId }) => modelId === field.value);
  return (
    <Select
      root={{ maxW: '24rem' }}
      {...field}
      options={[
        ['', t(none ?? 'settingsPage.noModel')],
        ...options,
        ...(isGone ? [[field.value, t('settingsPage.modelGone', { model: field.value })] as const] : []),
      ]}
    />
  );
}
