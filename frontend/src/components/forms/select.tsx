import { NativeSelect } from '@chakra-ui/react';
import type { Ref } from 'react';

interface SelectProps extends NativeSelect.FieldProps {
  options: readonly (readonly [value: string | number, text: string])[];
  /** Size and width of the field with its arrow. */
  root?: NativeSelect.RootProps;
  ref?: Ref<HTMLSelectElement>;
}

export const Select = ({ options, root, ...field }: SelectProps) => (
  <NativeSelect.Root {...root}>
    <NativeSelect.Field {...field}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </NativeSelect.Field>
    <NativeSelect.Indicator />
  </NativeSelect.Root>
);
