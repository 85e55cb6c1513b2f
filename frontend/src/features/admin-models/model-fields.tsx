import { CheckboxGroup, Fieldset, Flex, Input, type InputProps, Textarea } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { MODEL_FIELDS, MODEL_KINDS, type ModelKind, REASONING_EFFORTS } from '@tanya/contract';
import {
  type Control,
  type FieldValues,
  type Path,
  useController,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form';
import { formatNumber } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { connectionsQuery } from '../../app/queries/connections.query';
import { notify } from '../../components/feedback/notify';
import { FormField } from '../../components/forms/form-field';
import { LabelledCheckbox } from '../../components/forms/labelled-checkbox';
import { Select } from '../../components/forms/select';
import type { PlainTextKey } from '../../texts/catalogue';
import type { ModelFormValues, TypedField } from './model-form-values';

export const KIND_NAMES: Readonly<Record<ModelKind, PlainTextKey>> = {
  chat: 'modelsPage.kind_chat',
  image: 'modelsPage.kind_image',
  embedding: 'modelsPage.kind_embedding',
  transcription: 'modelsPage.kind_transcription',
};

interface ModelInputProps extends Pick<InputProps, 'placeholder' | 'fontFamily'> {
  form: UseFormReturn<ModelFormValues>;
  name: TypedField;
  label: string;
  hint?: string;
  /** The lines of a field with several. */
  rows?: number;
}

/** The input of a text or a number of a model. Its bounds and its rule follow from the declaration. */
export function ModelInput({ form, name, label, hint, rows, ...props }: ModelInputProps) {
  const { kind, max } = MODEL_FIELDS[name];
  const field = form.register(name, { validate: ruleOf(name) });
  const maxLength = kind === 'whole' ? undefined : max;
  return (
    <FormField label={label} hint={hint} error={form.formState.errors[name]?.message}>
      {rows ? (
        <Textarea rows={rows} maxLength={maxLength} {...field} />
      ) : (
        <Input inputMode={kind === 'whole' ? 'numeric' : undefined} maxLength={maxLength} {...props} {...field} />
      )}
    </FormField>
  );
}

/** The rule of a typed text: true or the error message. The server checks it again. */
function ruleOf(name: TypedField): (text: string) => true | string {
  const field = MODEL_FIELDS[name];
  if (field.kind === 'name') return (text) => text.trim() !== '' || t('modelsPage.required');
  if (field.kind === 'text') return () => true;
  const { min, max } = field;
  return (text) => {
    const isValid = text === '' || (Number.isInteger(Number(text)) && Number(text) >= min && Number(text) <= max);
    return isValid || t('common.wholeRange', { min: formatNumber(min), max: formatNumber(max) });
  };
}

interface KindFieldProps {
  /** The kind that the server guessed, which can be left as it is; null for a new model, undefined for a known kind. */
  guessed?: ModelKind | null;
  field: UseFormRegisterReturn;
  error?: string;
}

/** Chooses what a model does. The value '' leaves it to the server. */
export function KindField({ guessed, field, error }: KindFieldProps) {
  const kinds = MODEL_KINDS.map((kind) => [kind, t(KIND_NAMES[kind])] as const);
  const automatic = automaticText(guessed);
  return (
    <FormField label={t('modelsPage.kind')} hint={guessed ? t('modelsPage.kindGuessedHint') : undefined} error={error}>
      <Select {...field} options={automatic === null ? kinds : [['', automatic], ...kinds]} />
    </FormField>
  );
}

/** The text of the choice that leaves the kind to the server; null where the kind is known. */
function automaticText(guessed?: ModelKind | null): string | null {
  if (guessed === undefined) return null;
  return guessed === null
    ? t('modelsPage.kindAutomatic')
    : t('modelsPage.kindGuessed', { kind: t(KIND_NAMES[guessed]) });
}

interface ConnectionFieldProps {
  /** The connection of the model: listed as a number until the connections are loaded. */
  saved: number | null;
  field: UseFormRegisterReturn;
}

export function ConnectionField({ saved, field }: ConnectionFieldProps) {
  const { data: connections } = useQuery(connectionsQuery);
  const options = (connections ?? []).map(
    ({ id, name, enabled }) => [id, enabled ? name : t('modelsPage.disabledConnection', { name })] as const,
  );
  if (saved !== null && !connections) options.push([saved, t('modelsPage.connectionNumber', { id: saved })]);
  return (
    <FormField label={t('modelsPage.connection')} hint={t('modelsPage.connectionHint')}>
      {/* A select shows a value only while it has that option. */}
      <Select
        key={connections === undefined ? 'loading' : 'loaded'}
        {...field}
        options={[['', t('modelsPage.automatic')], ...options]}
      />
    </FormField>
  );
}

interface EffortsFieldProps<T extends FieldValues> {
  control: Control<T>;
  name: Path<T>;
}

export function EffortsField<T extends FieldValues>({ control, name }: EffortsFieldProps<T>) {
  const { field } = useController({ control, name });
  return (
    <Fieldset.Root>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {t('modelsPage.efforts')}
      </Fieldset.Legend>
      <CheckboxGroup colorPalette="jade" value={field.value} onValueChange={(efforts) => field.onChange(efforts)}>
        <Flex gap="3" wrap="wrap" mt="1.5">
          {REASONING_EFFORTS.map((effort) => (
            <LabelledCheckbox key={effort} value={effort} label={t(`modelsPage.effort_${effort}`)} />
          ))}
        </Flex>
      </CheckboxGroup>
      <Fieldset.HelperText textStyle="xs" mt="1.5">
        {t('modelsPage.effortsHint')}
      </Fieldset.HelperText>
    </Fieldset.Root>
  );
}

export const notifyMissing = (): void =>
  notify({
    title: t('validation.missingInformation'),
    description: t('validation.missingInformationHint'),
    kind: 'error',
  });
