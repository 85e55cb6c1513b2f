import { Button, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { hasCode } from '../../app/api/api-error';
import { t } from '../../app/i18n/translate';
import { signInProvidersQuery } from '../../app/queries/sign-in-providers.query';

/** For people without a password, where a call was refused for want of it: a new sign-in stands for it, for a while. */
export function SignInAgain({ error }: { error: unknown }) {
  const isAsked = hasCode(error, 'reauthentication_required');
  const { data: providers = [] } = useQuery({ ...signInProvidersQuery, enabled: isAsked });
  if (!isAsked || providers.length === 0) return null;
  const query = new URLSearchParams({ reauth: 'true', returnTo: window.location.pathname });
  return (
    <Stack mt="4">
      {providers.map(({ id, label }) => (
        <Button key={id} asChild variant="outline" whiteSpace="normal" height="auto" minH="10" py="2">
          <a href={`/api/auth/oidc/${id}/start?${query.toString()}`}>{t('signIn.signInAgain', { label })}</a>
        </Button>
      ))}
    </Stack>
  );
}
