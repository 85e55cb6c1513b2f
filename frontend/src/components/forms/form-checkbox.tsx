import { Field } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useController, type Control, type FieldValues, type Path, type UseControllerProps } from 'react-hook-form';
import { LabelledCheckbox } from './labelled-checkbox';

interface FormCheckboxProps<T extends FieldValues> {
  control: Control<T>;
  name: Path<T>;
  label: ReactNode;
  hint?: string;
  disabled?: boolean;
  rules?: UseControllerProps<T>['rules'];
}

export function FormCheckbox<T extends FieldValues>({
  control,
  name,
  label,
  hint,
  disabled,
  rules,
}: FormCheckboxProps<T>) {
  const { field, fieldState } = useController({ control, name, rules });
  return (
    <Field.Root invalid={fieldState.invalid} disabled={disabled}>
      <LabelledCheckbox
        label={label}
        input={{ name: field.name, onBlur: field.onBlur, ref: field.ref }}
        disabled={disabled}
        checked={Boolean(field.value)}
        onCheckedChange={({ checked }) => field.onChange(checked === true)}
      />
      {hint !== undefined && <Field.HelperText>{hint}</Field.HelperText>}
      <Field.ErrorText>{fieldState.error?.message}</Field.ErrorText>
    </Field.Root>
  );
}
