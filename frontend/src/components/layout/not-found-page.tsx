import { Button, Center, Heading, Stack, Text } from '@chakra-ui/react';
import { t } from '../../app/i18n/translate';
import { usePageTitle } from './use-page-title';

export function NotFoundPage() {
  usePageTitle(t('notFound'));
  return (
    <Center as="main" height="100%" p="6">
      <Stack gap="4" align="center" textAlign="center">
        <Heading as="h1" textStyle="2xl">
          {t('notFound')}
        </Heading>
        <Text color="fg.muted">{t('page.incompleteLink')}</Text>
        <Button asChild colorPalette="jade">
          {/* A link with a reload, because a share page runs without a socket. */}
          <a href="/">{t('sidebar.home')}</a>
        </Button>
      </Stack>
    </Center>
  );
}
