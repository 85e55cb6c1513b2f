import { Box, Flex, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditEntry, Failure, InstallationStatus, ProviderConnection } from '@tanya/contract';
import type { ReactNode } from 'react';
import { api } from '../../app/api/api-client';
import { formatDateTime, formatNumber } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { connectionsQuery } from '../../app/queries/connections.query';
import { QUERY_KEYS } from '../../app/queries/query-keys';
import { failureOf, type Health, HealthLine } from '../../components/feedback/health-line';
import { LoadError } from '../../components/feedback/load-error';
import { PageShell } from '../../components/layout/page-shell';
import { Panel } from '../../components/layout/panel';

const DAY_MS = 24 * 3_600_000;
/** A backup that is older is worth a look. */
const BACKUP_DAYS = 8;
/** More failures are not counted. */
const FAILURES_MAX = 100;

const query = <T,>(name: string, path: string) => ({
  queryKey: [...QUERY_KEYS.admin, 'installation', name],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.get<T>(path, signal),
  refetchOnMount: 'always' as const,
});

const STATUS = query<InstallationStatus>('status', '/api/admin/installation');
const CHANGES = query<AuditEntry[]>('changes', '/api/admin/audit?changes=true&limit=1');
const BACKUPS = query<AuditEntry[]>('backups', '/api/admin/audit?action=backup.create&limit=1');

/** Whether all is well, at one sight: what runs, what fails, what was saved and changed last. */
export default function InstallationPage() {
  const status = useQuery(STATUS);
  return (
    <PageShell title={t('sidebar.installation')} sentence={t('installation.sentence')}>
      {status.isPending && <Skeleton height="14rem" role="status" aria-label={t('installation.loading')} />}
      {status.isLoadingError && <LoadError message={t('installation.loadError')} onRetry={status.refetch} />}
      {status.data && (
        <Panel title={t('installation.state')}>
          <Stack as="dl" gap="0">
            <Row name={t('installation.version')}>
              <VersionLine status={status.data} />
            </Row>
            <Row name={t('installation.nodes')}>
              {status.data.nodes.map(({ hostname, startedAt }) => (
                <Text key={`${hostname} ${startedAt}`} overflowWrap="anywhere">
                  {t('installation.node', { name: hostname, time: formatDateTime(new Date(startedAt)) })}
                </Text>
              ))}
              <Text color="fg.muted">{t(status.data.usesRedis ? 'installation.redis' : 'installation.noRedis')}</Text>
            </Row>
            <Row name={t('sidebar.connections')} page="connections">
              <ConnectionsLine />
            </Row>
            <Row name={t('sidebar.failures')} page="failures">
              <FailuresLine />
            </Row>
            <Row name={t('installation.backup')}>
              <BackupLine />
            </Row>
            <Row name={t('installation.change')} page="audit">
              <ChangeLine />
            </Row>
          </Stack>
        </Panel>
      )}
    </PageShell>
  );
}

/** @param page the page that has more of it */
function Row({
  name,
  page,
  children,
}: {
  name: string;
  page?: 'connections' | 'failures' | 'audit';
  children: ReactNode;
}) {
  return (
    <Flex columnGap="4" rowGap="1" py="3" borderBottomWidth="1px" wrap="wrap" _last={{ borderBottomWidth: '0' }}>
      <Box as="dt" fontWeight="medium" width={{ base: '100%', sm: '12rem' }}>
        {name}
      </Box>
      <Box as="dd" flex="1" minW="0">
        {children}
        {page && (
          <Box asChild color="fg.accent" textDecoration="underline">
            <Link to="/admin/{-$page}" params={{ page }} aria-label={t('installation.moreOf', { name })}>
              {t('installation.more')}
            </Link>
          </Box>
        )}
      </Box>
    </Flex>
  );
}

function VersionLine({ status: { version, nodes } }: { status: InstallationStatus }) {
  const isSame = nodes.every(({ isSameVersion }) => isSameVersion);
  return (
    <>
      <Text fontFamily="mono">{version}</Text>
      {!isSame && <HealthLine color="fg.warning" text={t('installation.otherVersion')} />}
    </>
  );
}

function ConnectionsLine() {
  const { data, isError } = useQuery({ ...connectionsQuery, refetchOnMount: 'always' });
  if (isError) return <HealthLine color="fg.warning" text={t('connections.loadError')} />;
  return data ? <HealthLine {...connectionsHealth(data)} /> : null;
}

function connectionsHealth(all: readonly ProviderConnection[]): Health {
  const used = all.filter(({ enabled, isConfigured }) => enabled && isConfigured);
  const failing = used.filter((connection) => connection.isKeyUnreadable || failureOf(connection) !== null);
  if (used.length === 0) return { color: 'fg.warning', text: t('installation.noConnection') };
  const names = failing.map(({ name }) => name).join(', ');
  return failing.length === 0
    ? { color: 'fg.success', text: t('installation.connections', { count: used.length }) }
    : { color: 'fg.error', text: t('installation.failing', { names }) };
}

function FailuresLine() {
  const { data, isError } = useQuery({
    queryKey: [...QUERY_KEYS.admin, 'installation', 'failures'],
    queryFn: ({ signal }) => api.get<Failure[]>(`/api/admin/failures?limit=${FAILURES_MAX}`, signal),
    refetchOnMount: 'always',
  });
  if (isError) return <HealthLine color="fg.warning" text={t('failures.loadError')} />;
  if (!data) return null;
  const since = Date.now() - DAY_MS;
  const count = data.filter(({ createdAt }) => Date.parse(createdAt) > since).length;
  if (count === 0) return <HealthLine color="fg.success" text={t('installation.noFailures')} />;
  const text = count < FAILURES_MAX ? t('installation.failures', { count }) : t('installation.manyFailures', { count });
  return <HealthLine color="fg.warning" text={text} />;
}

function BackupLine() {
  const { data, isError } = useQuery(BACKUPS);
  if (isError) return <HealthLine color="fg.warning" text={t('audit.loadError')} />;
  return data ? <HealthLine {...backupHealth(data[0])} /> : null;
}

function backupHealth(entry: AuditEntry | undefined): Health {
  if (!entry) return { color: 'fg.warning', text: t('installation.noBackup') };
  const [rows, files] = [entry.after?.['rows'], entry.after?.['files']].map((count) => formatNumber(Number(count)));
  const text = t('installation.madeAt', {
    time: formatDateTime(new Date(entry.createdAt)),
    rows: rows!,
    files: files!,
  });
  const isOld = Date.now() - Date.parse(entry.createdAt) > BACKUP_DAYS * DAY_MS;
  return { color: isOld ? 'fg.warning' : 'fg.success', text };
}

function ChangeLine() {
  const { data, isError } = useQuery(CHANGES);
  if (isError) return <HealthLine color="fg.warning" text={t('audit.loadError')} />;
  const [entry] = data ?? [];
  if (!entry) return data ? <Text>{t('audit.none')}</Text> : null;
  const time = formatDateTime(new Date(entry.createdAt));
  return <Text>{t('installation.changedBy', { name: entry.actor.username, time })}</Text>;
}
