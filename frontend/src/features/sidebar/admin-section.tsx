import { t } from '../../app/i18n/translate';
import { ADMIN_LINKS } from './admin-links';
import { type FurtherPages, PageSection } from './page-section';

/** As many as leave room for the chats and the account on the screen of a laptop. */
const FEW = 6;
const FIRST = ADMIN_LINKS.slice(0, FEW);
const MORE: FurtherPages = { name: 'moreAdmin', title: 'sidebar.moreAdmin', pages: ADMIN_LINKS.slice(FEW) };

/** The pages of admins, in a chunk of its own. */
export default function AdminSection() {
  return <PageSection name="admin" title={t('sidebar.adminMenu')} pages={FIRST} more={MORE} />;
}
