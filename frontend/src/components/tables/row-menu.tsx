import { IconButton, Menu } from '@chakra-ui/react';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';

/** The button of a row that opens a menu of its actions. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    // Rendered in place, inside the main landmark; `fixed` prevents clipping by the scrolling table.
    <Menu.Root positioning={{ placement: 'bottom-end', strategy: 'fixed' }}>
      <Menu.Trigger asChild>
        <IconButton size="xs" variant="ghost" aria-label={label}>
          <Ellipsis />
        </IconButton>
      </Menu.Trigger>
      <Menu.Positioner>
        <Menu.Content>{children}</Menu.Content>
      </Menu.Positioner>
    </Menu.Root>
  );
}
