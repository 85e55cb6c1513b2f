import { Box, Portal, Toast, Toaster as ChakraToaster } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useRef } from 'react';
import { toaster } from './toast-store';
import { useSwipeRight } from '../hooks/use-swipe-right';
import { useAboveComposer } from './use-above-composer';

const SWIPE_PX = 50;
const ICONS: Record<string, typeof Info> = { success: CircleCheck, error: CircleAlert, info: Info };

interface ToastData {
  id?: string;
  type?: string;
  title?: string;
  description?: string;
  action?: { label: string };
}

function Notification({ toast }: { toast: ToastData }) {
  const notice = useRef<HTMLDivElement>(null);
  useAboveComposer(notice);
  const { offset, handlers } = useSwipeRight(SWIPE_PX, () => toaster.dismiss(toast.id));
  const Icon = ICONS[toast.type ?? 'info'] ?? Info;
  return (
    <Toast.Root ref={notice} {...handlers} style={{ marginLeft: offset, marginRight: -offset, touchAction: 'pan-y' }}>
      <Box asChild flexShrink={0} boxSize="5" color={toast.type === 'success' ? 'fg.accent' : 'currentcolor'}>
        <Icon aria-hidden />
      </Box>
      <Box flex="1" minW="0">
        <Toast.Title>{toast.title}</Toast.Title>
        {toast.description && <Toast.Description>{toast.description}</Toast.Description>}
      </Box>
      {toast.action && <Toast.ActionTrigger>{toast.action.label}</Toast.ActionTrigger>}
      <Toast.CloseTrigger>
        <X aria-hidden />
      </Toast.CloseTrigger>
    </Toast.Root>
  );
}

/** Renders the notices of `notify`. A portal keeps them outside of open dialogs, which hide the rest of the page from screen readers. */
export function Toaster() {
  return (
    <Portal>
      <ChakraToaster toaster={toaster} width={{ base: 'calc(100% - 2rem)', md: '420px' }}>
        {(toast) => <Notification key={toast.id} toast={toast as ToastData} />}
      </ChakraToaster>
    </Portal>
  );
}
