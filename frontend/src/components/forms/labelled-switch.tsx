import { Switch } from '@chakra-ui/react';

interface LabelledSwitchProps {
  label: string;
  checked: boolean;
  pending?: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch whose change is sent at once; it ignores clicks while the request is pending. */
export function LabelledSwitch({ label, checked, pending = false, onChange }: LabelledSwitchProps) {
  return (
    <Switch.Root
      size="sm"
      colorPalette="jade"
      checked={checked}
      // Not `disabled`, which would move the focus to the page.
      opacity={pending ? 0.5 : undefined}
      aria-busy={pending}
      onCheckedChange={(details) => !pending && onChange(details.checked)}
    >
      <Switch.HiddenInput aria-label={label} />
      <Switch.Control />
    </Switch.Root>
  );
}
