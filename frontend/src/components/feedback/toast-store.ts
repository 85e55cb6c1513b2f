import { createToaster } from '@chakra-ui/react';

export const toaster = createToaster({
  // At the top a notice would cover the model picker and the titles. On phones it is as wide as the screen.
  placement: 'bottom-end',
  // Above the composer and its buttons: see `useAboveComposer`.
  offsets: { top: '1rem', bottom: 'var(--above-composer, 7.5rem)', left: '1rem', right: '1rem' },
  max: 1,
  duration: 5_000,
  removeDelay: 1_000_000,
  hotkey: ['F8'],
  pauseOnPageIdle: false,
});
