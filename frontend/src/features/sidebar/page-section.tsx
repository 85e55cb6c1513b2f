import { type LinkProps, useLocation, useRouter } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { useEffect } from 'react';
import { t } from '../../app/i18n/translate';
import { slideOut } from '../../app/state/sidebar';
import { prefetch } from '../../components/lazy/prefetch';
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
  /** Must be stable. */
  pages: readonly PageLink[];
  more?: FurtherPages;
}

/** Pages of a section that are folded in it. Must be stable. */
export interface FurtherPages {
  name: SectionName;
  title: PlainTextKey;
  pages: readonly PageLink[];
}

/** As many as stand in one row with the title, and as can be told apart without their names. */
const MAX_ICONS = 3;

/** Open on its own pages. Folded, a few links stay in reach as icons. */
export function PageSection({ name, title, pages, more }: PageSectionProps) {
  const router = useRouter();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isOneOf = (links: readonly PageLink[] = []) =>
    links.some(({ to, params }) => router.buildLocation({ to, params }).pathname === path);
  const isFurther = isOneOf(more?.pages);
  // Also of links that are folded away: the page opens without a connection too.
  useEffect(
    () =>
      [...pages, ...(more?.pages ?? [])].forEach(({ to, params }) =>
        prefetch(() => router.preloadRoute({ to, params })),
      ),
    [router, pages, more],
  );
  const icons =
    pages.length <= MAX_ICONS &&
    pages.map(({ label, ...link }) => <NavIconLink key={label} {...link} label={t(label)} onClick={slideOut} />);
  return (
    <Section name={name} title={title} isHere={isOneOf(pages) || isFurther} folded={icons}>
      <Links pages={pages} />
      {more && (
        <Section name={more.name} title={t(more.title)} isHere={isFurther}>
          <Links pages={more.pages} />
        </Section>
      )}
    </Section>
  );
}

function Links({ pages }: { pages: readonly PageLink[] }) {
  return pages.map(({ label, ...link }) => (
    <NavLink key={label} {...link} onClick={slideOut}>
      {t(label)}
    </NavLink>
  ));
}
