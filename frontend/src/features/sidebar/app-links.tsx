import { Badge, Box, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink, GraduationCap, Rocket } from 'lucide-react';
import { t } from '../../app/i18n/translate';
import { settingsQuery } from '../../app/queries/settings.query';
import { NavIcon } from './nav-item';

const row = { align: 'center', gap: '2.5', px: '2.5', minH: '8', borderRadius: 'l2' } as const;

/** Links to related apps: one for professionals and one for students. */
export default function AppLinks() {
  const { data: settings } = useQuery(settingsQuery);
  const proUrl = settings?.links.proAppUrl;
  return (
    <>
      {proUrl ? (
        <Flex asChild {...row} focusVisibleRing="inside" _hover={{ bg: 'bg.muted' }}>
          <a href={proUrl} target="_blank" rel="noopener noreferrer">
            <ProApp />
            <Box asChild color="fg.muted">
              <ExternalLink size={14} aria-label={t('apps.newTab')} />
            </Box>
          </a>
        </Flex>
      ) : (
        // Without an address it is an announcement, like the student app.
        <Flex {...row} color="fg.muted">
          <ProApp />
        </Flex>
      )}
      <Flex {...row} color="fg.muted">
        <NavIcon icon={GraduationCap} />
        <Box flex="1">{t('apps.students')}</Box>
        <Badge size="xs" colorPalette="gray">
          {t('sidebar.comingSoon')}
        </Badge>
      </Flex>
    </>
  );
}

function ProApp() {
  return (
    <>
      <NavIcon icon={Rocket} />
      <Box flex="1" minW="0">
        {t('apps.pro')}
        <Box as="span" display="block" textStyle="xs" color="fg.muted">
          {t('apps.proHint')}
        </Box>
      </Box>
    </>
  );
}
