import { Stack } from '@chakra-ui/react';
import type { SiteLanguage } from '@tanya/contract';
import { SettingField } from './setting-field';

const LANGUAGES = {
  spec: 'language.spec',
  en: 'language.en',
  id: 'language.id',
  browser: 'settingsPage.browser',
} as const satisfies Record<SiteLanguage, string>;

export const AppearanceFields = () => (
  <Stack gap="4">
    <SettingField name="siteTitle" />
    <SettingField name="welcomeMessage" rows={2} />
    <SettingField name="emptyThreadMessage" />
    <SettingField name="systemPrompt" rows={4} />
    <SettingField name="defaultLanguage" options={LANGUAGES} />
  </Stack>
);
