import { NativeSelect } from '@chakra-ui/react';
import { MODEL_KINDS, type ModelKind } from '@tanya/contract';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { KIND_NAMES } from './kind-names';

interface KindFieldProps {
  /** The kind that the server guessed, which can be left as it is; null for a new model, undefined for a known kind. */
  guessed?: ModelKind | null;
  field: UseFormRegisterReturn;
}

/** Chooses what a model does. The value '' leaves it to the server. */
export function KindField({ guessed, field }: KindFieldProps) {
  return (
    <FormField label={t('modelsPage.kind')} hint={guessed ? t('modelsPage.kindGuessedHint') : undefined}>
      <NativeSelect.Root>
        <NativeSelect.Field {...field}>
          {guessed === null && <option value="">{t('modelsPage.kindAutomatic')}</option>}
          {guessed && <option value="">{t('modelsPage.kindGuessed', { kind: t(KIND_NAMES[guessed]) })}</option>}
          {MODEL_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(KIND_NAMES[kind])}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </FormField>
  );
}
