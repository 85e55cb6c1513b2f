import { Box } from '@chakra-ui/react';
import { Outlet } from '@tanstack/react-router';
import { Toaster } from '../../components/toaster';

/** What stays while pages change. */
export function AppFrame() {
  return (
    <Box height="100%">
      <Outlet />
      <Toaster />
    </Box>
  );
}
