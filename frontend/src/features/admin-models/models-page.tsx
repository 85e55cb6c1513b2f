import { Stack, Tabs } from '@chakra-ui/react';
import { TEXTS } from '@tanya/contract';
import { PageShell } from '../../components/layout/page-shell';
import { AddModelForm } from './add-model-form';
import { CatalogueTable } from './catalogue-table';
import { ModelsTable } from './models-table';

export function ModelsPage() {
  return (
    <PageShell
      title={TEXTS.sidebar.llmModels}
      sentence="Choose which models people may use, which of them the API offers, and which one answers by default."
    >
      <Tabs.Root defaultValue="models" lazyMount unmountOnExit size="md">
        <Tabs.List colorPalette="jade">
          <Tabs.Trigger value="models">Models</Tabs.Trigger>
          <Tabs.Trigger value="import">Import Models</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="models">
          <Stack gap="6">
            <AddModelForm />
            <ModelsTable />
          </Stack>
        </Tabs.Content>
        <Tabs.Content value="import">
          <CatalogueTable />
        </Tabs.Content>
      </Tabs.Root>
    </PageShell>
  );
}
