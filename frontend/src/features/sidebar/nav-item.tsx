import { Box, Flex, VisuallyHidden } from '@chakra-ui/react';
import { Link, type LinkProps, useRouter } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { prefetch } from '../../components/lazy/prefetch';

const itemStyle = {
  align: 'center',
  gap: '2.5',
  px: '2.5',
  // Touch screens have more: base.css.
  minH: '8',
  width: '100%',
  textAlign: 'start',
  borderRadius: 'l2',
  focusVisibleRing: 'inside',
  _hover: { bg: 'bg.muted' },
  '&[aria-current=page]': { bg: 'bg.emphasized', fontWeight: 'medium' },
} as const;

interface NavLinkProps {
  to: LinkProps['to'];
  params?: LinkProps['params'];
  icon: LucideIcon;
  children: ReactNode;
  onClick: () => void;
}

export function NavLink({ to, params, icon: Icon, children, onClick }: NavLinkProps) {
  return (
    <Flex asChild {...itemStyle}>
      <Link to={to} params={params} activeOptions={{ exact: true }} onClick={onClick}>
        <NavIcon icon={Icon} />
        {children}
      </Link>
    </Flex>
  );
}

/** A link of a folded section: its icon, with its name for pointers and screen readers. */
export function NavIconLink({ to, params, icon, label, onClick }: Omit<NavLinkProps, 'children'> & { label: string }) {
  return (
    <Flex
      asChild
      {...itemStyle}
      justify="center"
      px="0"
      width="7"
      css={{ '@media (pointer: coarse)': { width: '10' } }}
    >
      <Link to={to} params={params} activeOptions={{ exact: true }} aria-label={label} title={label} onClick={onClick}>
        <NavIcon icon={icon} />
      </Link>
    </Flex>
  );
}

/** Loads the code of a page when the page is idle, so that it opens without a connection too. */
export function usePreloadedRoute(to: LinkProps['to']): void {
  const router = useRouter();
  useEffect(() => prefetch(() => router.preloadRoute({ to })), [router, to]);
}

interface NavButtonProps extends Omit<NavLinkProps, 'to' | 'params'> {
  /** The accessible name, where it says more than the text. */
  label?: string;
  /** The keys of its shortcut as displayed. */
  keys?: string;
}

export function NavButton({ icon, label, keys, children, onClick }: NavButtonProps) {
  return (
    <Flex asChild {...itemStyle}>
      <button type="button" onClick={onClick}>
        <NavIcon icon={icon} />
        <span aria-hidden={label !== undefined}>{children}</span>
        {label !== undefined && <VisuallyHidden>{label}</VisuallyHidden>}
        {keys && (
          <Box as="span" hideBelow="lg" ms="auto" textStyle="xs" color="fg.muted" aria-hidden>
            {keys}
          </Box>
        )}
      </button>
    </Flex>
  );
}

export function NavIcon({ icon: Icon }: { icon: LucideIcon }) {
  return (
    <Box asChild color="fg.muted" flexShrink={0}>
      <Icon size={18} aria-hidden />
    </Box>
  );
}
