import { Box, chakra, Flex, Grid, Text, VisuallyHidden } from '@chakra-ui/react';
import { type ContentFile, filesOfContent, type MessageContent, UNNAMED_FILE } from '@tanya/contract';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';
import { isOwnImage } from '../../markdown/url-safety';
import { pagesText, sizeText } from '../../../app/i18n/size-text';

const ImageViewer = lazyDialog(() => import('./image-viewer'));

interface Picture {
  url: string;
  name: string;
  /** Whether the model drew it; a picture of the user is narrower, because the text beside it is what is read. */
  isGenerated?: boolean;
}

/** A button that shows the image at full size. Several images are squares of one grid. */
function Thumbnail({ url, name, isGenerated, isSquare }: Picture & { isSquare: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const size = isSquare
    ? ({ width: '100%', height: '100%', objectFit: 'cover' } as const)
    : ({ maxH: '16rem', maxW: isGenerated ? '100%' : '200px', objectFit: 'contain' } as const);
  return (
    <>
      <chakra.button
        type="button"
        aria-label={t('file.openImage', { name })}
        title={name}
        onClick={() => setOpen(true)}
        cursor="zoom-in"
        borderRadius="l3"
        overflow="hidden"
        borderWidth="1px"
        // As wide as the image; a flex column would stretch it to the column.
        width={isSquare ? 'auto' : 'fit-content'}
        aspectRatio={isSquare ? 'square' : undefined}
        maxW="100%"
      >
        <chakra.img src={url} alt={name} loading="lazy" {...size} />
      </chakra.button>
      {isOpen && <ImageViewer url={url} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function Pictures({ pictures }: { pictures: readonly Picture[] }) {
  const [first] = pictures;
  if (first === undefined) return null;
  if (pictures.length === 1) return <Thumbnail {...first} isSquare={false} />;
  return (
    <Grid templateColumns={`repeat(${Math.min(pictures.length, 3)}, minmax(0, 9rem))`} gap="2" maxW="100%">
      {pictures.map((picture) => (
        <Thumbnail key={picture.url} {...picture} isSquare />
      ))}
    </Grid>
  );
}

/** The type for display, such as `PDF` for `application/pdf`. */
function typeName(type: string, name: string): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  return (extension ?? type.split('/').pop() ?? '').toUpperCase();
}

function DocumentCard({ file }: { file: ContentFile }) {
  const { url, name = UNNAMED_FILE.fileName, type = UNNAMED_FILE.fileType, size } = file;
  return (
    <Flex
      asChild
      align="center"
      gap="2"
      px="2.5"
      py="1.5"
      borderWidth="1px"
      borderRadius="l3"
      bg="bg.panel"
      maxW="16rem"
    >
      <a href={url} download={name}>
        <FileText size={20} aria-hidden style={{ flexShrink: 0 }} />
        <Box minW="0">
          <VisuallyHidden>{t('attachments.download', { name })}</VisuallyHidden>
          <Text truncate textStyle="caption" fontWeight="medium" aria-hidden>
            {name}
          </Text>
          <Text textStyle="xs" color="fg.muted">
            {[typeName(type, name), pagesText(file), size !== undefined && sizeText(size)].filter(Boolean).join(' · ')}
          </Text>
        </Box>
      </a>
    </Flex>
  );
}

interface MessageFilesProps {
  content: MessageContent;
  /** The description of a picture that was drawn. */
  alt?: string;
}

/** The files of a message. Addresses outside of this installation are not loaded. */
export function MessageFiles({ content, alt }: MessageFilesProps) {
  const files = filesOfContent(content).filter(({ url }) => isOwnImage(url));
  const ofKind = (kind: ContentFile['kind']) => files.filter((file) => file.kind === kind);
  const attached = ofKind('image').map(({ url, name }) => ({ url, name: name ?? t('attachments.attachedImage') }));
  const documents = ofKind('document');
  const { imageUrl } = content;
  const generated =
    imageUrl && isOwnImage(imageUrl)
      ? [{ url: imageUrl, name: alt || t('attachments.generatedImage'), isGenerated: true }]
      : [];
  return (
    <>
      <Pictures pictures={[...generated, ...attached]} />
      {ofKind('audio').map(({ url, name }) => (
        <chakra.audio key={url} controls src={url} maxW="100%" aria-label={name ?? t('attachments.attachedAudio')}>
          <track kind="captions" />
        </chakra.audio>
      ))}
      {documents.length > 0 && (
        <Flex wrap="wrap" justify="flex-end" gap="2" maxW="100%">
          {documents.map((file) => (
            <DocumentCard key={file.url} file={file} />
          ))}
        </Flex>
      )}
    </>
  );
}
