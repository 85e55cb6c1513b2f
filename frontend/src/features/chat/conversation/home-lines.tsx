import { Button, Flex, IconButton, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Languages, X } from 'lucide-react';
import { useState } from 'react';
import { RetentionLine } from './retention-line';
import { RichText } from '../../../app/i18n/rich-text';
import { t } from '../../../app/i18n/translate';
import { storedChoice } from '../../../app/language/choice';
import { chooseLanguage } from '../../../app/language/follow-language';
import { currentUserQuery } from '../../../app/queries/user.query';
import { settingsQuery } from '../../../app/queries/settings.query';
import { readStored, writeStored } from '../../../app/storage/stored';
import { fail } from '../../../components/feedback/fail';

const DISMISSED_KEY = 'tanya.demo-line';

/** What a person should know before the first message. */
export default function HomeLines({ isTemporary }: { isTemporary: boolean }) {
  return (
    <>
      {isTemporary && (
        <Text role="note" px="4" py="1" bg="bg.info" color="fg.muted" textAlign="center" textStyle="sm">
          {t('temporary.begin')}
        </Text>
      )}
      <LanguageLine />
      <DemoLine />
      <RetentionLine />
    </>
  );
}

/** While the page mixes two languages, which is the default of a new site, a guest chooses one of them at sight. */
function LanguageLine() {
  const { data: settings } = useQuery(settingsQuery);
  const { data: user } = useQuery(currentUserQuery);
  const [isDismissed, setDismissed] = useState(() => storedChoice() !== null);
  if (user !== null || settings?.defaultLanguage !== 'spec' || isDismissed) return null;
  const choose = (language: 'en' | 'id' | 'spec') => {
    setDismissed(true);
    chooseLanguage(language).catch(fail('account.languageFailed'));
  };
  return (
    <Flex
      role="group"
      aria-label={t('account.language')}
      align="center"
      justify="center"
      gap="1"
      pe="1"
      py="1"
      bg="bg.info"
      // Above the keyboard of a phone there is room for the message alone.
      css={{ '@media (max-height: 37.5rem)': { display: 'none' } }}
    >
      <Languages size={16} aria-hidden />
      {(['en', 'id'] as const).map((language) => (
        <Button key={language} variant="ghost" size="xs" lang={language} onClick={() => choose(language)}>
          {t(`language.${language}`)}
        </Button>
      ))}
      <IconButton variant="ghost" size="xs" aria-label={t('conversation.dismiss')} onClick={() => choose('spec')}>
        <X size={14} />
      </IconButton>
    </Flex>
  );
}

/** In demo mode, one line that says who answers. Only admins can set a provider, so only they read how. */
function DemoLine() {
  const { data: settings } = useQuery(settingsQuery);
  const { data: user } = useQuery(currentUserQuery);
  const [isDismissed, setDismissed] = useState(() => readStored(DISMISSED_KEY, 'tab') !== null);
  if (!settings?.demo || isDismissed) return null;
  const dismiss = () => {
    setDismissed(true);
    writeStored(DISMISSED_KEY, '1', 'tab');
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
