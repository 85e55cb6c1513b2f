import { Checkbox } from '@chakra-ui/react';
import type { ComponentProps, ReactNode } from 'react';

interface LabelledCheckboxProps extends Checkbox.RootProps {
  label: ReactNode;
  /** Of the native box: its name and ref. */
  input?: ComponentProps<typeof Checkbox.HiddenInput>;
}

/** A checkbox with its label. Within a `CheckboxGroup` it has a value in place of its own state. */
export const LabelledCheckbox = ({ label, input, ...root }: LabelledCheckboxProps) => (
  <Checkbox.Root colorPalette="jade" {...root}>
    <Checkbox.HiddenInput {...input} />
    <Checkbox.Control />
    <Checkbox.Label>{label}</Checkbox.Label>
  </Checkbox.Root>
);
