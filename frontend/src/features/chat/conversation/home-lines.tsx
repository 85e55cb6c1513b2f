import { Flex, IconButton, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import { RetentionLine } from './retention-line';
import { RichText } from '../../../app/i18n/rich-text';
import { t } from '../../../app/i18n/translate';
import { currentUserQuery } from '../../../app/queries/user.query';
import { settingsQuery } from '../../../app/queries/settings.query';

const DISMISSED_KEY = 'tanya.demo-line';

function wasDismissed(): boolean {
  try {
    return sessionStorage.getItem(DISMISSED_KEY) !== null;
  } catch {
    return false;
  }
}

/** What a person should know before the first message. */
export default function HomeLines({ isTemporary }: { isTemporary: boolean }) {
  return (
    <>
      {isTemporary && (
        <Text role="note" px="4" py="1" bg="bg.info" color="fg.muted" textAlign="center" textStyle="sm">
          {t('temporary.begin')}
        </Text>
      )}
      <DemoLine />
      <RetentionLine />
    </>
  );
}

/** In demo mode, one line that says who answers. Only admins can set a provider, so only they read how. */
function DemoLine() {
  const { data: settings } = useQuery(settingsQuery);
  const { data: user } = useQuery(currentUserQuery);
  const [isDismissed, setDismissed] = useState(wasDismissed);
  if (!settings?.demo || isDismissed) return null;
  const dismiss = () => {
    setDismissed(true);
    try {
      sessionStorage.setItem(DISMISSED_KEY, '1');
    } catch {
      // Storage may be blocked; the line then returns after a reload.
    }
  };
  return (
    <Flex role="note" align="center" gap="2" ps="4" pe="1" py="1" bg="bg.info" color="fg.muted" textStyle="sm">
      <Text flex="1" textAlign="center" textStyle={{ base: 'xs', md: 'sm' }}>
        {user?.isAdmin ? (
          <RichText text={t('demoLine.admin')} tags={{ settings: (place) => <SettingsLink>{place}</SettingsLink> }} />
        ) : (
          t('demoLine.text')
        )}
      </Text>
      <IconButton variant="ghost" size="xs" aria-label={t('conversation.dismiss')} onClick={dismiss}>
        <X size={14} />
      </IconButton>
    </Flex>
  );
}

function SettingsLink({ children }: { children: string }) {
  return (
    <Link to="/admin/{-$page}" params={{ page: 'settings' }} style={{ textDecoration: 'underline' }}>
      {children}
    </Link>
  );
}
