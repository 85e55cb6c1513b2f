import { Box, Button, Flex, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { t } from '../../../app/i18n/translate';
import { signInProvidersQuery } from '../../../app/queries/sign-in-providers.query';

/** The providers that one can sign in with, below the login. @param returnTo where the page goes on; by default where it is */
export function ProviderButtons({ returnTo }: { returnTo?: string }) {
  const here = useLocation({ select: ({ href, state }) => state.returnTo ?? href });
  const { data: providers = [] } = useQuery(signInProvidersQuery);
  if (providers.length === 0) return null;
  const query = new URLSearchParams({ returnTo: returnTo ?? here });
  return (
    <Stack gap="3" mt="4">
      <Flex align="center" gap="3">
        <Box flex="1" borderTopWidth="1px" />
        <Text color="fg.muted">{t('signIn.or')}</Text>
        <Box flex="1" borderTopWidth="1px" />
      </Flex>
      {providers.map(({ id, label }) => (
        <Button key={id} asChild variant="outline" whiteSpace="normal" height="auto" minH="10" py="2">
          <a href={`/api/auth/oidc/${id}/start?${query.toString()}`}>{t('signIn.continueWith', { label })}</a>
        </Button>
      ))}
    </Stack>
  );
}
