import { t } from '../../app/i18n/translate';
import { slideOut } from '../../app/state/sidebar';
import { NavIconLink, NavLink } from './nav-item';
import type { PageLink } from './page-links';
import { Section } from './section';
import type { SectionName } from './sections-store';

interface PageSectionProps {
  name: SectionName;
  title: string;
  pages: readonly PageLink[];
}

/** Folded, its links stay in reach as icons. */
export function PageSection({ name, title, pages }: PageSectionProps) {
  const icons = pages.map(({ to, label, icon }) => (
    <NavIconLink key={to} to={to} icon={icon} label={t(label)} onClick={slideOut} />
  ));
  return (
    <Section name={name} title={title} folded={icons}>
      {pages.map(({ to, label, icon }) => (
        <NavLink key={to} to={to} icon={icon} onClick={slideOut}>
          {t(label)}
        </NavLink>
      ))}
    </Section>
  );
}
