import { IconButton, type IconButtonProps } from '@chakra-ui/react';
import type { Ref } from 'react';

interface ActionButtonProps extends Omit<IconButtonProps, 'aria-label'> {
  label: string;
  ref?: Ref<HTMLButtonElement>;
}

/** A button that shows only an icon, with its label as the tooltip. */
export function ActionButton({ label, ...props }: ActionButtonProps) {
  return <IconButton variant="ghost" size="xs" color="fg.muted" aria-label={label} title={label} {...props} />;
}
