import { Box, Button, Flex, Image, Skeleton, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { pageQuery } from '../../app/queries/projects.query';
import { LoadError } from '../../components/feedback/load-error';
import { passageMarks } from './passage-place';

/** A page in A4 until its size is known. */
const USUAL_RATIO = 210 / 297;

/** Of an enlarged picture: small print is readable on a phone. */
const LARGE = '250%';

interface PagePictureProps {
  projectId: number;
  fileId: string;
  /** From 1. */
  page: number;
  /** Of the page's section, which names it to screen readers. */
  label: string;
  /** Of the passage that is marked; '' without one. */
  quote: string;
}

const percent = (part: number): string => `${part / 100}%`;

/** A page of a PDF as a picture, with a passage marked. */
export function PagePicture({ projectId, fileId, page, label, quote }: PagePictureProps) {
  const picture = useQuery(pageQuery(projectId, fileId, page));
  const [isLarge, setLarge] = useState(false);
  const mark = useRef<HTMLDivElement>(null);
  const { data } = picture;
  const marks = useMemo(() => (data === undefined ? [] : passageMarks(data.words, quote)), [data, quote]);
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [marks, isLarge]);
  if (picture.isError) return <LoadError message={t('projects.pictureError')} onRetry={picture.refetch} />;
  if (data === undefined)
    return <Skeleton aspectRatio={USUAL_RATIO} role="status" aria-label={t('projects.pictureLoading')} />;
  return (
    <Stack gap="2">
      <Box
        overflow="auto"
        borderWidth="1px"
        borderRadius="l2"
        role="group"
        aria-label={t('projects.pictureOf', { label })}
        tabIndex={isLarge ? 0 : undefined}
      >
        <Box position="relative" width={isLarge ? LARGE : '100%'}>
          <Image
            src={data.picture}
            alt={t('projects.pictureOf', { label })}
            width="100%"
            height="auto"
            maxW="none"
            aspectRatio={data.width / data.height}
          />
          {marks.map(({ left, top, width, height }, index) => (
            <Box
              key={index}
              ref={index === 0 ? mark : undefined}
              data-mark
              position="absolute"
              left={percent(left)}
              top={percent(top)}
              width={percent(width)}
              height={percent(height)}
              bg="jade.solid"
              opacity="0.35"
              borderRadius="2px"
              scrollMargin="16"
              aria-hidden
            />
          ))}
        </Box>
      </Box>
      <Flex>
        <Button size="xs" variant="outline" onClick={() => setLarge(!isLarge)}>
          {t(isLarge ? 'projects.pictureFit' : 'projects.pictureEnlarge')}
        </Button>
      </Flex>
    </Stack>
  );
}
