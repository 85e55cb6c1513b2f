import { Switch } from '@chakra-ui/react';

interface LabelledSwitchProps {
  /** Names the switch for assistive technology. */
  label: string;
  checked: boolean;
  pending?: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch that acts at once; while the server is being told it can't be turned again. */
export function LabelledSwitch({ label, checked, pending = false, onChange }: LabelledSwitchProps) {
  return (
    <Switch.Root
      size="sm"
      colorPalette="jade"
      checked={checked}
      // Not disabled: it would lose the focus to the page.
      opacity={pending ? 0.5 : undefined}
      aria-busy={pending}
      onCheckedChange={(details) => !pending && onChange(details.checked)}
    >
      <Switch.HiddenInput aria-label={label} />
      <Switch.Control />
    </Switch.Root>
  );
}
