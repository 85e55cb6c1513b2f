import { t } from '../../app/i18n/translate';
import { ADMIN_LINKS } from './admin-links';
import { PageSection } from './page-section';

/** The pages of admins, in a chunk of its own. */
export default function AdminSection() {
  return <PageSection name="admin" title={t('sidebar.adminMenu')} pages={ADMIN_LINKS} />;
}
