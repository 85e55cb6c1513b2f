import { Box, chakra, Flex, IconButton, Text } from '@chakra-ui/react';
import { FileAudio, FileText, TriangleAlert, X } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { sizeText } from '../shared/size-text';
import type { Attachment } from './attachment';
import type { Attachments } from './use-attachments';

/** The attachments of the next message, each with its upload progress and a remove button. */
export default function AttachmentChips({ attachments }: { attachments: Attachments }) {
  return (
    <Flex as="ul" listStyleType="none" gap="2" wrap="wrap" px="3" pt="3" aria-label={t('attachments.label')}>
      {attachments.list.map((attachment) => (
        <Chip key={attachment.id} attachment={attachment} onRemove={() => attachments.remove(attachment.id)} />
      ))}
    </Flex>
  );
}

function Chip({ attachment, onRemove }: { attachment: Attachment; onRemove: () => void }) {
  const { name, size, url, progress, warning } = attachment;
  const percent = Math.round(progress * 100);
  const state = url === null ? `${percent} %` : size === null ? t('attachments.ready') : sizeText(size);
  return (
    <Flex as="li" align="center" gap="2" p="1.5" pe="1" borderWidth="1px" borderRadius="l3" maxW="16rem" bg="bg.subtle">
      <Preview attachment={attachment} />
      <Box minW="0" flex="1">
        <Text truncate textStyle="caption" title={name}>
          {name}
        </Text>
        <Flex
          align="center"
          gap="1"
          textStyle="xs"
          color={warning ? 'fg.warning' : 'fg.muted'}
          title={warning ?? undefined}
        >
          {warning && <TriangleAlert size={12} role="img" aria-label={warning} />}
          {state}
        </Flex>
        {url === null && (
          <Box
            role="progressbar"
            aria-label={t('attachments.uploading', { name })}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
            height="3px"
            mt="1"
            borderRadius="full"
            bg="bg.emphasized"
            overflow="hidden"
          >
            <Box height="100%" bg="jade.solid" style={{ width: `${percent}%` }} transition="width 120ms ease-out" />
          </Box>
        )}
      </Box>
      <IconButton
        variant="ghost"
        size="xs"
        aria-label={url === null ? t('attachments.cancelUpload', { name }) : t('attachments.remove', { name })}
        onClick={onRemove}
      >
        <X size={14} />
      </IconButton>
    </Flex>
  );
}

function Preview({ attachment: { kind, previewUrl } }: { attachment: Attachment }) {
  if (previewUrl)
    return <chakra.img src={previewUrl} alt="" boxSize="9" flexShrink={0} borderRadius="l1" objectFit="cover" />;
  const Icon = kind === 'audio' ? FileAudio : FileText;
  return <Icon size={20} aria-hidden style={{ flexShrink: 0 }} />;
}
