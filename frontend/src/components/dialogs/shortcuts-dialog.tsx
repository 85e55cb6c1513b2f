import { Flex, Kbd, Stack } from '@chakra-ui/react';
import { t } from '../../app/i18n/translate';
import { SHORTCUTS } from '../../app/state/commands';
import { Modal } from './modal';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal title={t('shortcuts.title')} onClose={onClose}>
      <Stack as="ul" gap="1" listStyleType="none">
        {SHORTCUTS.map(({ command, keys }) => (
          <Flex as="li" key={command} justify="space-between" align="center" minH="9">
            {t(`shortcuts.${command}`)}
            <Flex gap="1">
              {keys.map((key) => (
                <Kbd key={key} size="sm">
                  {IS_MAC && key === 'Ctrl' ? '⌘' : key}
                </Kbd>
              ))}
            </Flex>
          </Flex>
        ))}
      </Stack>
    </Modal>
  );
}
