import { Button, Flex, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { t } from '../../app/i18n/translate';
import { settingsQuery } from '../../app/queries/settings.query';
import { ContactText } from '../buttons/admin-contact';
import { Modal } from './modal';

const BENEFITS = ['upgrade.messages', 'upgrade.models', 'upgrade.support', 'upgrade.sharing'] as const;

export default function UpgradeDialog({ onClose }: { onClose: () => void }) {
  const { data: settings } = useQuery(settingsQuery);
  const url = settings?.links.upgradeUrl;
  return (
    <Modal
      title={t('upgrade.title')}
      description={t('upgrade.text')}
      onClose={onClose}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('common.close')}
          </Button>
          {url && settings.showUpgrade && (
            <Button asChild colorPalette="jade">
              <a href={url} target="_blank" rel="noopener noreferrer">
                {t('chat.upgrade')}
              </a>
            </Button>
          )}
        </>
      }
    >
      <Stack as="ul" gap="2.5" listStyleType="none">
        {BENEFITS.map((benefit) => (
          <Flex as="li" key={benefit} align="center" gap="2.5" textStyle="md">
            <Text as="span" color="fg.accent" flexShrink={0}>
              <Check size={18} aria-hidden />
            </Text>
            {t(benefit)}
          </Flex>
        ))}
      </Stack>
      {settings && !url && (
        <Text mt="4" color="fg.muted">
          <ContactText text={t('upgrade.contact')} />
        </Text>
      )}
    </Modal>
  );
}
