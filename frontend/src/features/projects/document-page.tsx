import { Box, Button, Flex, Grid, Heading, Mark, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProjectSection } from '@tanya/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { hasCode } from '../../app/api/api-error';
import { t } from '../../app/i18n/translate';
import { LoadError } from '../../components/feedback/load-error';
import { PageShell } from '../../components/layout/page-shell';
import { projectFileQuery, sectionsQuery, PROJECT_ROUTE, projectParams } from '../../app/queries/projects.query';
import { PagePicture } from './page-picture';
import { passagePlace } from './passage-place';

const PDF = 'application/pdf';

const ONE_COLUMN = 'minmax(0, 1fr)';
/** A picture and its text. */
const BESIDE = { base: ONE_COLUMN, lg: 'repeat(2, minmax(0, 1fr))' };

/** The label of a page of a PDF, which may have a name of its own: `page 14 (xii)`. */
const PAGE_LABEL = /^page (\d+)(?: \(.+\))?$/;

/** Sections before the wanted one that are shown too. */
const BEFORE = 1;

/** Sections of one answer of the server. */
const PAGE = 50;

interface DocumentPageProps {
  projectId: number;
  fileId: string;
  /** Index of the section that a citation names; null without one. */
  section: number | null;
  /** Index of the first section that is shown; by default the one before the cited one. */
  start: number | null;
  /** Of the passage that a citation names; '' without one. */
  quote: string;
}

/** The text of a file of a project, at the passage that a citation names. */
export function DocumentPage({ projectId, fileId, section, start, quote }: DocumentPageProps) {
  const from = start ?? Math.max(0, (section ?? 0) - BEFORE);
  const file = useQuery(projectFileQuery(projectId, fileId));
  const sections = useQuery(sectionsQuery(projectId, fileId, from));
  const back = (
    <Button asChild variant="outline">
      <Link to={PROJECT_ROUTE} params={projectParams(projectId)}>
        {t('projects.back')}
      </Link>
    </Button>
  );
  if (file.isError && hasCode(file.error, 'not_found'))
    return (
      <PageShell title={t('projects.removed')} sentence={t('projects.removedHint')} action={back}>
        {null}
      </PageShell>
    );
  const last = from + (sections.data?.length ?? 0);
  return (
    <PageShell title={file.data?.name ?? ''} sentence={t('projects.documentSentence')} action={back}>
      {(file.isError || sections.isError) && (
        <LoadError
          message={t('projects.documentError')}
          onRetry={() => {
            void file.refetch();
            void sections.refetch();
          }}
        />
      )}
      {sections.isPending && <Skeleton height="12rem" role="status" aria-label={t('projects.loading')} />}
      <Stack gap="4">
        {sections.data?.map((each) => (
          <SectionText
            key={each.index}
            section={each}
            isCited={each.index === section}
            quote={each.index === section ? quote : ''}
            isTarget={each.index === (section ?? start)}
            projectId={projectId}
            fileId={fileId}
            isPdf={file.data?.type === PDF}
          />
        ))}
      </Stack>
      <Flex gap="3">
        {from > 0 && (
          <Step projectId={projectId} fileId={fileId} start={Math.max(0, from - PAGE)} label={t('projects.earlier')} />
        )}
        {sections.data && last < (file.data?.sections ?? 0) && (
          <Step projectId={projectId} fileId={fileId} start={last} label={t('projects.later')} />
        )}
      </Flex>
    </PageShell>
  );
}

interface SectionTextProps {
  section: ProjectSection;
  isCited: boolean;
  quote: string;
  /** Whether the page is scrolled to it. */
  isTarget: boolean;
  projectId: number;
  fileId: string;
  isPdf: boolean;
}

function SectionText(props: SectionTextProps) {
  const { section, isCited, quote, isTarget, projectId, fileId, isPdf } = props;
  const { label, text } = section;
  const box = useRef<HTMLDivElement>(null);
  const mark = useRef<HTMLElement>(null);
  const place = useMemo(() => passagePlace(text, quote), [text, quote]);
  const page = isPdf ? PAGE_LABEL.exec(label)?.[1] : undefined;
  // Each picture takes the server half a second: the others wait for a click.
  const [isWanted, setWanted] = useState<boolean | null>(null);
  const isPictured = page !== undefined && (isWanted ?? isCited);
  const scrollsToMark = isTarget && !isPictured;
  useEffect(() => {
    if (isTarget) box.current?.scrollIntoView({ block: 'start' });
    // The passage may be far below the beginning of its section. A picture has a mark of its own.
    if (scrollsToMark) mark.current?.scrollIntoView({ block: 'nearest' });
  }, [isTarget, scrollsToMark, place]);
  return (
    <Box
      ref={box}
      as="section"
      bg="bg.panel"
      borderWidth="1px"
      borderColor={isCited ? 'jade.solid' : undefined}
      borderRadius="l3"
      p={{ base: '4', md: '5' }}
      aria-current={isCited ? 'location' : undefined}
    >
      {label !== '' && (
        <Flex gap="3" align="center" justify="space-between" mb="2">
          <Heading as="h2" textStyle="sm" overflowWrap="anywhere">
            {label}
          </Heading>
          {page !== undefined && (
            <Button
              size="xs"
              variant="outline"
              aria-label={t(isPictured ? 'projects.hidePageOf' : 'projects.showPageOf', { label })}
              onClick={() => setWanted(!isPictured)}
            >
              {t(isPictured ? 'projects.hidePage' : 'projects.showPage')}
            </Button>
          )}
        </Flex>
      )}
      <Grid gap="4" templateColumns={isPictured ? BESIDE : ONE_COLUMN}>
        {isPictured && (
          <PagePicture projectId={projectId} fileId={fileId} page={Number(page)} label={label} quote={quote} />
        )}
        <Text whiteSpace="pre-wrap" overflowWrap="anywhere" dir="auto">
          {text === '' && t('projects.noText')}
          {place === null ? (
            text
          ) : (
            <>
              {text.slice(0, place.start)}
              <Mark ref={mark} bg="jade.muted" color="jade.fg" borderRadius="2px" scrollMarginY="16">
                {text.slice(place.start, place.end)}
              </Mark>
              {text.slice(place.end)}
            </>
          )}
        </Text>
      </Grid>
    </Box>
  );
}

interface StepProps {
  projectId: number;
  fileId: string;
  start: number;
  label: string;
}

function Step({ projectId, fileId, start, label }: StepProps) {
  return (
    <Button asChild variant="outline">
      <Link to={PROJECT_ROUTE} params={projectParams(projectId, fileId)} search={{ start }}>
        {label}
      </Link>
    </Button>
  );
}
