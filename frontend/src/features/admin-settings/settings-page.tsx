import { Box, Flex, Grid, Skeleton, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { AdminSettings, SettingsWarning } from '@tanya/contract';
import { TriangleAlert } from 'lucide-react';
import { findText, t } from '../../app/i18n/translate';
import { LoadError } from '../../components/feedback/load-error';
import { PageShell } from '../../components/layout/page-shell';
import { useDelayed } from '../../components/hooks/use-delayed';
import { SectionNav } from './section-nav';
import { SettingsForm } from './settings-form';
import { adminSettingsQuery } from './settings.query';

export default function SettingsPage() {
  const settings = useQuery(adminSettingsQuery);
  return (
    <PageShell title={t('sidebar.generalSettings')} sentence={t('settingsPage.sentence')}>
      {settings.isPending && <Loading />}
      {settings.isError && <LoadError message={t('settings.loadError')} onRetry={settings.refetch} />}
      {settings.data && (
        <>
          <Warnings settings={settings.data} />
          <Grid
            templateColumns={{ base: 'minmax(0, 1fr)', xl: '12rem minmax(0, 40rem)' }}
            gap={{ base: '3', xl: '8' }}
            // A field that gets the focus stays below the row of links.
            css={{ '& :is(input, textarea, select, button)': { scrollMarginTop: { base: '4rem', xl: '0' } } }}
          >
            <SectionNav />
            <SettingsForm settings={settings.data} />
          </Grid>
        </>
      )}
    </PageShell>
  );
}

function Warnings({ settings: { warnings } }: { settings: AdminSettings }) {
  if (warnings.length === 0) return null;
  return (
    <Stack as="ul" gap="2" listStyleType="none" aria-label={t('settingsPage.warnings')}>
      {warnings.map(warningText).map((text) => (
        <Flex as="li" key={text} gap="2.5" p="3" borderRadius="l2" bg="bg.warning">
          <Box asChild color="fg.warning" flexShrink={0} mt="0.5">
            <TriangleAlert size={16} aria-hidden />
          </Box>
          {text}
        </Flex>
      ))}
    </Stack>
  );
}

/** A server of a later version may send a code that this page does not have. */
const warningText = ({ code, params }: SettingsWarning): string => findText(`settingWarnings.${code}`, params) ?? code;

function Loading() {
  const isDue = useDelayed();
  return (
    <Stack gap="6" role="status" aria-label={t('settingsPage.loading')}>
      {isDue &&
        ['18rem', '14rem', '12rem'].map((height) => <Skeleton key={height} height={height} borderRadius="l3" />)}
    </Stack>
  );
}
