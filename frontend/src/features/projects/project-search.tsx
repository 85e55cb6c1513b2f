import { Link as TextLink, Stack, Text } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SearchHit } from '@tanya/contract';
import { useState } from 'react';
import { t } from '../../app/i18n/translate';
import { LoadError } from '../../components/feedback/load-error';
import { SearchField } from '../../components/forms/search-field';
import { useDebounced } from '../../components/hooks/use-debounced';
import { Panel } from '../../components/layout/panel';
import { projectSearchQuery, PROJECT_ROUTE, projectParams } from '../../app/queries/projects.query';

const DEBOUNCE_MS = 300;

/** Characters of a quote by which its document marks it, as of a source. */
const QUOTE = 1_000;

/** Finds the passages that answers would get. */
export function ProjectSearch({ id }: { id: number }) {
  const [text, setText] = useState('');
  const query = useDebounced(text.trim(), DEBOUNCE_MS);
  const hits = useQuery({ ...projectSearchQuery(id, query), placeholderData: keepPreviousData });
  const found = query === '' ? undefined : hits.data;
  return (
    <Panel title={t('projects.search')} hint={t('projects.searchHint')}>
      <Stack gap="3">
        <SearchField label={t('projects.searchLabel')} value={text} onChange={setText} maxW="100%" />
        {hits.isError && <LoadError message={t('projects.searchError')} onRetry={hits.refetch} />}
        {found?.length === 0 && (
          <Text role="status" color="fg.muted">
            {t('projects.nothingFound')}
          </Text>
        )}
        <Stack as="ol" gap="4" listStyleType="none" aria-label={t('projects.hits')}>
          {found?.map((hit, index) => (
            <Hit key={index} projectId={id} hit={hit} />
          ))}
        </Stack>
      </Stack>
    </Panel>
  );
}

function Hit({ projectId, hit: { fileId, name, section, label, quote } }: { projectId: number; hit: SearchHit }) {
  return (
    <Stack as="li" gap="1">
      <TextLink asChild colorPalette="jade" fontWeight="medium" overflowWrap="anywhere">
        <Link
          to={PROJECT_ROUTE}
          params={projectParams(projectId, fileId)}
          search={{ section, quote: [...quote].slice(0, QUOTE).join('') }}
        >
          {label === '' ? name : `${name} · ${label}`}
        </Link>
      </TextLink>
      <Text textStyle="sm" color="fg.muted" lineClamp={4} whiteSpace="pre-line" overflowWrap="anywhere" dir="auto">
        {quote}
      </Text>
    </Stack>
  );
}
