import { IconButton } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Button of a conversation's header that opens a dialog. */
export function DialogButton({ label, icon, onOpen }: { label: string; icon: ReactNode; onOpen: () => void }) {
  return (
    <IconButton
      variant="ghost"
      size="sm"
      color="fg.muted"
      aria-label={label}
      title={label}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      {icon}
    </IconButton>
  );
}
