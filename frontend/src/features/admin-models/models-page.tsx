import { Stack, Tabs } from '@chakra-ui/react';
import { t } from '../../app/i18n/translate';
import { PageShell } from '../../components/layout/page-shell';
import { AddModelForm, useAddModelForm } from './add-model-form';
import { CatalogueTable } from './catalogue-table';
import { FeedbackPanel } from './feedback-panel';
import { ModelsTable } from './models-table';
import { UnlistedModels } from './unlisted-models';

export function ModelsPage() {
  // A tab is removed while the other one is shown.
  const form = useAddModelForm();
  return (
    <PageShell title={t('sidebar.llmModels')} sentence={t('modelsPage.sentence')}>
      <Tabs.Root defaultValue="models" lazyMount unmountOnExit size="md" data-saved={!form.formState.isDirty}>
        <Tabs.List colorPalette="jade">
          <Tabs.Trigger value="models">{t('modelsPage.tabModels')}</Tabs.Trigger>
          <Tabs.Trigger value="import">{t('modelsPage.tabImport')}</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="models">
          <Stack gap="6">
            <AddModelForm form={form} />
            <UnlistedModels />
            <ModelsTable />
            <FeedbackPanel />
          </Stack>
        </Tabs.Content>
        <Tabs.Content value="import">
          <CatalogueTable />
        </Tabs.Content>
      </Tabs.Root>
    </PageShell>
  );
}
