import { Button, Stack, Tabs } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../app/i18n/translate';
import { PageShell } from '../../components/layout/page-shell';
import { AddModelDialog } from './add-model-dialog';
import { CatalogueTable } from './catalogue-table';
import { FeedbackPanel } from './feedback-panel';
import { ModelsTable } from './models-table';
import { UnlistedModels } from './unlisted-models';

export default function ModelsPage() {
  const [isAdding, setIsAdding] = useState(false);
  return (
    <PageShell
      title={t('sidebar.llmModels')}
      sentence={t('modelsPage.sentence')}
      action={
        <Button colorPalette="jade" onClick={() => setIsAdding(true)}>
          <Plus aria-hidden /> {t('modelsPage.addTitle')}
        </Button>
      }
    >
      <Tabs.Root defaultValue="models" lazyMount unmountOnExit size="md">
        <Tabs.List colorPalette="jade">
          <Tabs.Trigger value="models">{t('modelsPage.tabModels')}</Tabs.Trigger>
          <Tabs.Trigger value="import">{t('modelsPage.tabImport')}</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="models">
          <Stack gap="6">
            <UnlistedModels />
            <ModelsTable />
            <FeedbackPanel />
          </Stack>
        </Tabs.Content>
        <Tabs.Content value="import">
          <CatalogueTable />
        </Tabs.Content>
      </Tabs.Root>
      {isAdding && <AddModelDialog onClose={() => setIsAdding(false)} />}
    </PageShell>
  );
}
