import type { ImportStatus } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';

/** The counts of an import, such as `2 imported, 1 not imported`. */
export function importResult({ total, imported, skipped }: ImportStatus): string {
  const failed = total - imported - skipped;
  return [
    t('imports.imported', { count: imported }),
    skipped > 0 && t('imports.skipped', { count: skipped }),
    failed > 0 && t('imports.notImported', { count: failed }),
  ]
    .filter(Boolean)
    .join(', ');
}
