import { Box, Button, chakra, Flex, IconButton, Text } from '@chakra-ui/react';
import { FileAudio, FileText, RotateCw, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatPercent } from '../../../app/i18n/report-formats';
import { t } from '../../../app/i18n/translate';
import { pagesText, sizeText } from '../../../app/i18n/size-text';
import type { Attachment } from './attachment';
import type { Attachments } from './use-attachments';

interface AttachmentChipsProps {
  attachments: Attachments;
  /** Moves the text of a long paste into the message field. */
  onInsert: (text: string) => void;
}

export default function AttachmentChips({ attachments, onInsert }: AttachmentChipsProps) {
  const { list, retry, remove } = attachments;
  return (
    <Box
      as="ul"
      listStyleType="none"
      // Two columns on phones: a column alone would hide most of ten chips.
      display={{ base: 'grid', sm: 'flex' }}
      gridTemplateColumns="repeat(2, minmax(0, 1fr))"
      flexWrap="wrap"
      gap="2"
      px="3"
      pt="3"
      // Ten chips leave room for the field on a phone.
      maxH="30dvh"
      overflowY="auto"
      aria-label={t('attachments.label')}
    >
      {list.map((attachment) => (
        <Chip
          key={attachment.id}
          attachment={attachment}
          onRetry={() => retry(attachment.id)}
          onRemove={() => remove(attachment.id)}
          onInsert={(text) => {
            remove(attachment.id);
            onInsert(text);
          }}
        />
      ))}
    </Box>
  );
}

interface ChipProps {
  attachment: Attachment;
  onRetry: () => void;
  onRemove: () => void;
  onInsert: (text: string) => void;
}

function Chip({ attachment, onRetry, onRemove, onInsert }: ChipProps) {
  const { name, url, error, pasted } = attachment;
  const isUploading = url === null && error === null;
  const hasMoreButtons = error !== null || pasted !== undefined;
  return (
    <Flex
      as="li"
      gridColumn={hasMoreButtons ? '1 / -1' : undefined}
      align="center"
      gap="2"
      p="1.5"
      pe="1"
      borderWidth="1px"
      borderColor={error ? 'border.error' : undefined}
      borderRadius="l3"
      maxW={{ base: '100%', sm: pasted === undefined ? '16rem' : '20rem' }}
      bg="bg.subtle"
    >
      <Preview attachment={attachment} />
      <Box minW="0" flex="1">
        <Text truncate textStyle="caption" title={name}>
          {name}
        </Text>
        <ChipState attachment={attachment} />
        {isUploading && <Progress attachment={attachment} />}
      </Box>
      {error !== null && (
        <ChipButton label={t('attachments.retry', { name })} onClick={onRetry}>
          <RotateCw size={14} />
        </ChipButton>
      )}
      {pasted !== undefined && (
        <Button variant="ghost" size="xs" flexShrink={0} px="1.5" title={name} onClick={() => onInsert(pasted)}>
          {t('attachments.showText')}
        </Button>
      )}
      <ChipButton
        label={isUploading ? t('attachments.cancelUpload', { name }) : t('attachments.remove', { name })}
        onClick={onRemove}
      >
        <X size={14} />
      </ChipButton>
    </Flex>
  );
}

/** The progress, pages or size of an attachment, or why its upload failed. */
function ChipState({ attachment }: { attachment: Attachment }) {
  const { url, size, progress, error, warning } = attachment;
  if (error !== null) {
    return (
      <Text role="alert" textStyle="xs" color="fg.error">
        {error}
      </Text>
    );
  }
  const state =
    url === null
      ? formatPercent(Math.round(progress * 100) / 100)
      : (pagesText(attachment) ?? (size === null ? t('attachments.ready') : sizeText(size)));
  return (
    <Flex
      align="center"
      gap="1"
      textStyle="xs"
      color={warning ? 'fg.warning' : 'fg.muted'}
      title={warning ?? undefined}
    >
      {warning && <TriangleAlert size={12} role="img" aria-label={warning} style={{ flexShrink: 0 }} />}
      {state}
    </Flex>
  );
}

function Progress({ attachment: { name, progress } }: { attachment: Attachment }) {
  const percent = Math.round(progress * 100);
  return (
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
  );
}

function ChipButton({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <IconButton variant="ghost" size="xs" flexShrink={0} aria-label={label} title={label} onClick={onClick}>
      {children}
    </IconButton>
  );
}

function Preview({ attachment: { kind, previewUrl } }: { attachment: Attachment }) {
  if (previewUrl)
    return <chakra.img src={previewUrl} alt="" boxSize="9" flexShrink={0} borderRadius="l1" objectFit="cover" />;
  const Icon = kind === 'audio' ? FileAudio : FileText;
  return <Icon size={20} aria-hidden style={{ flexShrink: 0 }} />;
}
