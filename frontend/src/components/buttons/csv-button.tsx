import { Button, type ButtonProps } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { t } from '../../app/i18n/translate';

/** @param path of a file that the server makes */
export const CsvButton = ({ path, size }: { path: string; size?: ButtonProps['size'] }) => (
  <Button asChild variant="outline" size={size}>
    <a href={path} download>
      <Download aria-hidden /> {t('usage.csv')}
    </a>
  </Button>
);
