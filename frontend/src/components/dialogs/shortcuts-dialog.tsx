import { Flex, Stack } from '@chakra-ui/react';
import { t } from '../../app/i18n/translate';
import { SHORTCUTS } from '../../app/state/commands';
import { ShortcutKeys } from '../buttons/shortcut-keys';
import { Modal } from './modal';

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal title={t('shortcuts.title')} onClose={onClose}>
      <Stack as="ul" gap="1" listStyleType="none">
        {SHORTCUTS.map(({ command, keys }) => (
          <Flex as="li" key={command} justify="space-between" align="center" minH="9">
            {t(`shortcuts.${command}`)}
            <ShortcutKeys keys={keys} />
          </Flex>
        ))}
      </Stack>
    </Modal>
  );
}
