import { IconButton } from '@chakra-ui/react';
import { Pencil, Trash2 } from 'lucide-react';

interface RowButtonProps {
  /** Names the row too: "Edit Sales". */
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

/** The button of a row that opens the dialog to edit it. */
export function EditButton({ label, ...props }: RowButtonProps) {
  return (
    <IconButton size="xs" variant="ghost" aria-label={label} {...props}>
      <Pencil />
    </IconButton>
  );
}

export function DeleteButton({ label, ...props }: RowButtonProps) {
  return (
    <IconButton size="xs" variant="ghost" color="fg.error" aria-label={label} {...props}>
      <Trash2 />
    </IconButton>
  );
}
