import { Skeleton, Stack } from '@chakra-ui/react';
import { t } from '../../app/i18n/translate';
import { useDelayed } from '../../components/hooks/use-delayed';

export function LoadingChats() {
  const isDue = useDelayed();
  if (!isDue) return null;
  return (
    <Stack gap="2" px="2.5" py="2" role="status" aria-label={t('navigation.loadingChats')}>
      {['80%', '60%', '70%'].map((width) => (
        <Skeleton key={width} height="5" width={width} />
      ))}
    </Stack>
  );
}
