import { Flex, IconButton, Text } from '@chakra-ui/react';
import type { ThreadAction } from '@tanya/contract';
import { Archive, ListChecks, type LucideIcon, Pin, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog';
import { endSelection, selectAll, useSelection } from './selection-store';
import { useBatch } from './thread-batch';

/** The actions on the selected threads. @param shown the ids of the list in their order */
export function SelectionBar({ shown, onEnd }: { shown: readonly number[]; onEnd: () => void }) {
  const selected = useSelection((state) => state.selected);
  const [isConfirming, setConfirming] = useState(false);
  const end = () => {
    setConfirming(false);
    endSelection();
    onEnd();
  };
  const batch = useBatch(end);
  const ids = [...(selected ?? [])];
  const run = (action: ThreadAction) => batch.run(action, ids);
  const isOff = ids.length === 0 || batch.isPending;
  return (
    <Flex
      role="toolbar"
      aria-label={t('order.toolbar')}
      align="center"
      gap="0.5"
      ps="2.5"
      mb="1"
      minH="10"
      // In reach from every chat of a long list.
      position="sticky"
      top="0"
      zIndex="1"
      bg="bg.subtle"
    >
      <Text role="status" flex="1" minW="0" truncate textStyle="sm">
        {t('order.selected', { count: ids.length })}
      </Text>
      <Tool icon={ListChecks} label={t('order.selectAll')} onClick={() => selectAll(shown)} />
      <Tool icon={Pin} label={t('order.pin')} disabled={isOff} onClick={() => run('pin')} />
      <Tool icon={Archive} label={t('order.archive')} disabled={isOff} onClick={() => run('archive')} />
      <Tool icon={Trash2} label={t('common.delete')} disabled={isOff} onClick={() => setConfirming(true)} />
      <Tool icon={X} label={t('order.endSelection')} onClick={end} />
      {isConfirming && (
        <ConfirmDialog
          title={t('order.deleteTitle', { count: ids.length })}
          question={t('order.deleteQuestion', { count: ids.length })}
          pending={batch.isPending}
          onConfirm={() => run('delete')}
          onClose={() => setConfirming(false)}
        />
      )}
    </Flex>
  );
}

interface ToolProps {
  icon: LucideIcon;
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

function Tool({ icon: Icon, label, disabled, onClick }: ToolProps) {
  return (
    <IconButton variant="ghost" size="xs" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      <Icon size={16} />
    </IconButton>
  );
}
