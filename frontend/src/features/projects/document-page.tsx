import { Box, Button, Flex, Heading, Mark, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProjectSection } from '@tanya/contract';
import { useEffect, useMemo, useRef } from 'react';
import { hasCode } from '../../app/api/api-error';
import { t } from '../../app/i18n/translate';
import { LoadError } from '../../components/feedback/load-error';
import { PageShell } from '../../components/layout/page-shell';
import { projectFileQuery, sectionsQuery, PROJECT_ROUTE, projectParams } from '../../app/queries/projects.query';
import { passagePlace } from './passage-place';

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
          />
        ))}
      </Stack>
      <Flex gap="3">
        {from > 0 && (
          <Step projectId={projectId} fileId={fileId} start={Math.max(0, from - PAGE)} label={t('projects.earlier')} />
        )}
        {sections.data?.length === PAGE && (
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
}

function SectionText({ section: { label, text }, isCited, quote, isTarget }: SectionTextProps) {
  const box = useRef<HTMLDivElement>(null);
  const mark = useRef<HTMLElement>(null);
  const place = useMemo(() => passagePlace(text, quote), [text, quote]);
  useEffect(() => {
    if (!isTarget) return;
    box.current?.scrollIntoView({ block: 'start' });
    // The passage may be far below the beginning of its section.
    mark.current?.scrollIntoView({ block: 'nearest' });
  }, [isTarget, place]);
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
        <Heading as="h2" textStyle="sm" mb="2" overflowWrap="anywhere">
          {label}
        </Heading>
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
