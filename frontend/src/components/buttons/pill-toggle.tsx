import { Button, Text, type TextProps } from '@chakra-ui/react';
import type { LucideIcon } from 'lucide-react';

interface PillToggleProps {
  icon: LucideIcon;
  title: string;
  hint: string;
  isOn: boolean;
  isBusy?: boolean;
  /** Style of the title. */
  text?: TextProps;
  onChange: (isOn: boolean) => void;
}

/** A small round switch, as below the input field. */
export function PillToggle({ icon: Icon, title, hint, isOn, isBusy, text, onChange }: PillToggleProps) {
  return (
    <Button
      variant="ghost"
      size="sm"
      flexShrink={0}
      gap="1"
      px="2.5"
      borderRadius="full"
      textStyle="xs"
      color={isOn ? 'jade.fg' : 'fg.muted'}
      aria-pressed={isOn}
      aria-busy={isBusy}
      aria-label={title}
      title={hint}
      onClick={() => onChange(!isOn)}
    >
      <Icon size={16} aria-hidden />
      <Text as="span" {...text}>
        {title}
      </Text>
    </Button>
  );
}
