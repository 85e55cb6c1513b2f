import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { type MessageContent, UNNAMED_FILE } from '@tanya/contract';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';
import { isOwnImage } from '../../markdown/url-safety';
import { sizeText } from '../shared/size-text';

const ImageViewer = lazyDialog(() => import('./image-viewer'));

function Thumbnail({ url, name }: { url: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <chakra.button
        type="button"
        aria-label={t('file.openImage', { name })}
        onClick={() => setOpen(true)}
        cursor="zoom-in"
        borderRadius="l3"
        overflow="hidden"
        borderWidth="1px"
        // As wide as the image; a flex column would stretch it to the column.
        width="fit-content"
        maxW="100%"
      >
        <chakra.img src={url} alt={name} maxH="16rem" maxW="100%" objectFit="contain" loading="lazy" />
      </chakra.button>
      {isOpen && <ImageViewer url={url} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The type for display, such as `PDF` for `application/pdf`. */
function typeName(type: string, name: string): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  return (extension ?? type.split('/').pop() ?? '').toUpperCase();
}

interface DocumentCardProps {
  url: string;
  name: string;
  type: string;
  /** Bytes; older messages have none. */
  size?: number;
}

function DocumentCard({ url, name, type, size }: DocumentCardProps) {
  return (
    <Flex asChild align="center" gap="3" px="3" py="2.5" borderWidth="1px" borderRadius="l3" bg="bg.panel" maxW="20rem">
      <a href={url} download={name} aria-label={t('attachments.download', { name })}>
        <FileText size={20} aria-hidden style={{ flexShrink: 0 }} />
        <Box minW="0">
          <Text truncate fontWeight="medium">
            {name}
          </Text>
          <Text textStyle="xs" color="fg.muted">
            {[typeName(type, name), size !== undefined && sizeText(size)].filter(Boolean).join(' · ')}
          </Text>
        </Box>
      </a>
    </Flex>
  );
}

/** The files of a message. Addresses outside of this installation are not loaded. */
export function MessageFiles({ content }: { content: MessageContent }) {
  const { imageData, imageUrl, audioData, fileUrl, fileName, fileType, fileSize } = content;
  const image = imageUrl ?? imageData;
  const isAudio = audioData?.startsWith('data:audio/') || (audioData && isOwnImage(audioData));
  return (
    <>
      {image && isOwnImage(image) && (
        <Thumbnail url={image} name={imageUrl ? t('attachments.generatedImage') : t('attachments.attachedImage')} />
      )}
      {isAudio && (
        <chakra.audio controls src={audioData} maxW="100%" aria-label={t('attachments.attachedAudio')}>
          <track kind="captions" />
        </chakra.audio>
      )}
      {fileUrl && isOwnImage(fileUrl) && (
        <DocumentCard
          url={fileUrl}
          name={fileName ?? UNNAMED_FILE.fileName}
          type={fileType ?? UNNAMED_FILE.fileType}
          size={fileSize}
        />
      )}
    </>
  );
}
