import { Button } from '@chakra-ui/react';
import { RefreshCw } from 'lucide-react';
import { t } from '../../app/i18n/translate';

export function RefreshButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <Button size="sm" variant="outline" onClick={onClick} aria-busy={busy}>
      <RefreshCw aria-hidden /> {t('common.refresh')}
    </Button>
  );
}
