import { Box, Flex } from '@chakra-ui/react';
import { Link, type LinkProps, useRouter } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { prefetch } from '../../components/lazy/prefetch';

const itemStyle = {
  align: 'center',
  gap: '2.5',
  px: '2.5',
  minH: { base: '10', md: '9' },
  width: '100%',
  textAlign: 'start',
  borderRadius: 'l2',
  focusVisibleRing: 'inside',
  _hover: { bg: 'bg.muted' },
  '&[aria-current=page]': { bg: 'bg.emphasized', fontWeight: 'medium' },
} as const;

interface NavLinkProps {
  to: LinkProps['to'];
  icon: LucideIcon;
  children: ReactNode;
  onClick: () => void;
}

export function NavLink({ to, icon: Icon, children, onClick }: NavLinkProps) {
  usePreloadedRoute(to);
  return (
    <Flex asChild {...itemStyle}>
      <Link to={to} activeOptions={{ exact: true }} onClick={onClick}>
        <NavIcon icon={Icon} />
        {children}
      </Link>
    </Flex>
  );
}

/** Loads the code of a page when the page is idle, so that it opens without a connection too. */
export function usePreloadedRoute(to: LinkProps['to']): void {
  const router = useRouter();
  useEffect(() => prefetch(() => router.preloadRoute({ to })), [router, to]);
}

export function NavButton({ icon, children, onClick }: Omit<NavLinkProps, 'to'>) {
  return (
    <Flex asChild {...itemStyle}>
      <button type="button" onClick={onClick}>
        <NavIcon icon={icon} />
        {children}
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
