import { IconButton } from '@chakra-ui/react';
import { Pencil, Trash2 } from 'lucide-react';

interface RowButtonProps {
  /** Names the row too: "Edit Sales". */
  label: string;
  onClick: () => void;
}

/** The button of a row that opens the dialog to edit it. */
export function EditButton({ label, onClick }: RowButtonProps) {
  return (
    <IconButton size="xs" variant="ghost" aria-label={label} onClick={onClick}>
      <Pencil />
    </IconButton>
  );
}

export function DeleteButton({ label, onClick }: RowButtonProps) {
  return (
    <IconButton size="xs" variant="ghost" color="fg.error" aria-label={label} onClick={onClick}>
      <Trash2 />
    </IconButton>
  );
}
