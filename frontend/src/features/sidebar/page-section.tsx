import type { LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { t } from '../../app/i18n/translate';
import { slideOut } from '../../app/state/sidebar';
import type { PlainTextKey } from '../../texts/catalogue';
import { NavIconLink, NavLink } from './nav-item';
import { Section } from './section';
import type { SectionName } from './sections-store';

/** A page beside the chat, as the sidebar and the palette list it. */
export interface PageLink {
  to: LinkProps['to'];
  params?: LinkProps['params'];
  label: PlainTextKey;
  icon: LucideIcon;
}

interface PageSectionProps {
  name: SectionName;
  title: string;
  pages: readonly PageLink[];
}

/** Folded, its links stay in reach as icons. */
export function PageSection({ name, title, pages }: PageSectionProps) {
  const icons = pages.map(({ label, ...link }) => (
    <NavIconLink key={label} {...link} label={t(label)} onClick={slideOut} />
  ));
  return (
    <Section name={name} title={title} folded={icons}>
      {pages.map(({ label, ...link }) => (
        <NavLink key={label} {...link} onClick={slideOut}>
          {t(label)}
        </NavLink>
      ))}
    </Section>
  );
}
