import { IconButton } from '@chakra-ui/react';
import { Monitor, Moon, Sun } from 'lucide-react';
import { t } from '../../app/i18n/translate';
import { useColorMode, type ColorModePreference } from '../../app/theme/color-mode';

const NEXT: Record<ColorModePreference, ColorModePreference> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS = { system: Monitor, light: Sun, dark: Moon };

/** Switches between the themes of the system, light and dark. It is not beside Logout, which is easily hit instead. */
export function ColorModeButton() {
  const { preference, setPreference } = useColorMode();
  const Icon = ICONS[preference];
  const label = t('navigation.theme', { now: t(`theme.${preference}`), next: t(`theme.${NEXT[preference]}`) });
  return (
    <IconButton
      variant="ghost"
      size="xs"
      aria-label={label}
      title={label}
      onClick={() => setPreference(NEXT[preference])}
    >
      <Icon />
    </IconButton>
  );
}
