import { Box, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { mayUsePremium, UNLIMITED, type Quota } from '@tanya/contract';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { defaultModelQuery, modelsQuery } from '../../app/queries/models.query';
import { currentUserQuery, quotaQuery } from '../../app/queries/user.query';
import { PageShell } from '../../components/layout/page-shell';
import { apiKeyQuery } from './api-key.query';
import { AvailableModels } from './available-models';
import { DocumentationPanel } from './documentation-panel';
import { KeyPanel } from './key-panel';
import { KeysPanel } from './keys/keys-panel';
import { maskKey } from './mask-key';
import { exampleModels, apiModels } from './api-models';

export function ApiIntegrationPage() {
  const [unmasked, setUnmasked] = useState<string | null>(null);
  const models = useQuery(modelsQuery);
  const { data: chosen } = useQuery(defaultModelQuery);
  const { data: key } = useQuery(apiKeyQuery);
  const { data: user } = useQuery(currentUserQuery);
  const offered = models.data && apiModels(models.data);
  const apiKey = key?.apiKey ?? 'YOUR_API_KEY';
  // A key that replaces an unmasked one is masked.
  const isShown = unmasked === apiKey;
  const shownKey = key?.apiKey && !isShown ? maskKey(key.apiKey) : apiKey;

  return (
    <PageShell title={t('sidebar.apiIntegration')} sentence={t('developer.sentence')}>
      <UsageNotice />
      <KeyPanel shown={isShown} onShown={(wanted) => setUnmasked(wanted ? apiKey : null)} />
      <KeysPanel />
      <DocumentationPanel
        shownKey={shownKey}
        apiKey={apiKey}
        models={exampleModels(offered, chosen?.modelId, mayUsePremium(user))}
      />
      <AvailableModels models={offered} failed={models.isLoadingError} onRetry={() => void models.refetch()} />
    </PageShell>
  );
}

function UsageNotice() {
  const { data: quota } = useQuery(quotaQuery);
  return (
    <Flex role="note" gap="3" p="3.5" borderRadius="l2" bg="bg.subtle" borderWidth="1px">
      <Box asChild flexShrink={0} color="fg.accent" mt="0.5">
        <Info size={16} aria-hidden />
      </Box>
      <Box>
        {t('developer.counted')} {quota && usageText(quota)}
      </Box>
    </Flex>
  );
}

function usageText({ used, max }: Quota): string {
  if (max === UNLIMITED) return t('developer.usedUnlimited', { used: formatNumber(used) });
  return t('developer.usedOf', { used: formatNumber(used), max: formatNumber(max) });
}
