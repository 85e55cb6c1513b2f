import { Field } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface FormFieldProps {
  label: ReactNode;
  /** What is wrong with the value; shown under the field and tied to it for assistive technology. */
  error?: string;
  hint?: ReactNode;
  children: ReactNode;
}

/** A labelled field of a form with its hint or problem beneath. */
export function FormField({ label, error, hint, children }: FormFieldProps) {
  return (
    <Field.Root invalid={Boolean(error)}>
      <Field.Label>{label}</Field.Label>
      {children}
      {hint && !error && <Field.HelperText>{hint}</Field.HelperText>}
      {error && <Field.ErrorText>{error}</Field.ErrorText>}
    </Field.Root>
  );
}
