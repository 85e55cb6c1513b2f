import { Box } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../app/queries/settings.query';

/** The logo of the installation, else the product's own. */
export function Logo({ size = '7' }: { size?: string }) {
  const { data: settings } = useQuery(settingsQuery);
  if (settings?.logo)
    return (
      <Box asChild boxSize={size} flexShrink={0} objectFit="contain">
        <img src={settings.logo} alt="" />
      </Box>
    );
  return (
    <Box asChild boxSize={size} flexShrink={0} color="fg.accent">
      <svg aria-hidden="true">
        <use href="#mark" />
      </svg>
    </Box>
  );
}
