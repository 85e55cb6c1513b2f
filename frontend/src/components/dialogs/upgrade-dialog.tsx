import { Button, Flex, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS } from '@tanya/contract';
import { Check } from 'lucide-react';
import { settingsQuery } from '../../app/queries/settings.query';
import { AdminContact } from '../buttons/admin-contact';
import { Modal } from './modal';

/** The benefits of premium and the link to get it. */
export default function UpgradeDialog({ onClose }: { onClose: () => void }) {
  const { data: settings } = useQuery(settingsQuery);
  const url = settings?.links.upgradeUrl;
  return (
    <Modal
      title={TEXTS.upgrade.title}
      description={TEXTS.upgrade.text}
      onClose={onClose}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Close
          </Button>
          {url && (
            <Button asChild colorPalette="jade">
              <a href={url} target="_blank" rel="noopener noreferrer">
                {TEXTS.chat.upgrade}
              </a>
            </Button>
          )}
        </>
      }
    >
      <Stack as="ul" gap="2.5" listStyleType="none">
        {TEXTS.upgrade.benefits.map((benefit) => (
          <Flex as="li" key={benefit} align="center" gap="2.5" textStyle="md">
            <Text as="span" color="fg.accent" flexShrink={0}>
              <Check size={18} aria-hidden />
            </Text>
            {benefit}
          </Flex>
        ))}
      </Stack>
      {settings && !url && (
        <Text mt="4" color="fg.muted">
          Contact <AdminContact /> to upgrade.
        </Text>
      )}
    </Modal>
  );
}
