import { Button, Flex, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { shownLanguage } from '../../app/i18n/load-texts';
import { t } from '../../app/i18n/translate';
import { settingsQuery } from '../../app/queries/settings.query';
import { ContactText } from '../buttons/admin-contact';
import { Modal } from './modal';

export default function UpgradeDialog({ onClose }: { onClose: () => void }) {
  const { data: settings } = useQuery(settingsQuery);
  const url = settings?.links.upgradeUrl;
  // The default catalogue has the sentences of the product's specification. The others promise what is true here.
  const isAsSpecified = shownLanguage() === 'spec';
  const isUnlimited = isAsSpecified || settings?.premiumUserMessageQuota === -1;
  const benefits = [
    isUnlimited ? t('upgrade.messages') : t('upgrade.moreMessages'),
    t('upgrade.models'),
    t('upgrade.support'),
    ...(isAsSpecified ? [t('upgrade.sharing')] : []),
  ];
  return (
    <Modal
      title={t('upgrade.title')}
      description={isUnlimited && t('upgrade.text')}
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
        {benefits.map((benefit) => (
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
          <ContactText text={t('upgrade.contact')} />
        </Text>
      )}
    </Modal>
  );
}
