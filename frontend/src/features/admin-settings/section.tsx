import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { t } from '../../app/i18n/translate';
import { Panel } from '../../components/layout/panel';
import { type SectionId, SECTIONS } from './sections';

interface SectionProps {
  id: SectionId;
  hint?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A section of the settings page, below the sticky navigation when it is scrolled to. */
export function Section({ id, ...panel }: SectionProps) {
  return (
    <Box id={id} scrollMarginTop={{ base: '4rem', xl: '2rem' }}>
      <Panel title={t(SECTIONS.find((section) => section.id === id)!.title)} {...panel} />
    </Box>
  );
}
