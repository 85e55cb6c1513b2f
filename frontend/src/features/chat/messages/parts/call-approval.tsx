import { Button, Flex, Text } from '@chakra-ui/react';
import type { GenerationApproved, ToolPart } from '@tanya/contract';
import { useEffect, useState } from 'react';
import { api } from '../../../../app/api/api-client';
import { holdTitleMark } from '../../../../app/browser/page-title';
import { t } from '../../../../app/i18n/translate';
import { useSingleFlightMutation } from '../../../../app/queries/use-single-flight-mutation';
import { fail } from '../../../../components/feedback/fail';

interface CallApprovalProps {
  part: ToolPart;
  generationId: string;
  /** Called when a button was pressed; both are about to disappear. */
  onDecide: () => void;
}

/** Allow and Deny for a call that waits. The title of the tab has a mark meanwhile. */
export function CallApproval({ part: { callId, title }, generationId, onDecide }: CallApprovalProps) {
  /** The stored decision, until its event arrives. */
  const [decision, setDecision] = useState<boolean>();
  const approve = useSingleFlightMutation({
    mutationFn: (allow: boolean) =>
      api.post<GenerationApproved>(`/api/chat/generations/${generationId}/approve`, { callId, allow }),
    onSuccess: (_answer, allow) => setDecision(allow),
    onError: fail('toolCall.decisionFailed'),
  });
  useEffect(holdTitleMark, []);
  const decide = (allow: boolean) => {
    onDecide();
    approve.mutate(allow);
  };

  if (decision !== undefined) {
    return (
      <Text role="status" py="1">
        {t(decision ? 'toolCall.allowed' : 'toolCall.denied')}
      </Text>
    );
  }
  return (
    <Flex gap="2" pt="1" pb="2" wrap="wrap">
      <Button
        size="sm"
        colorPalette="jade"
        aria-label={t('toolCall.allowNamed', { title })}
        loading={approve.isPending && approve.variables}
        disabled={approve.isPending}
        onClick={() => decide(true)}
      >
        {t('toolCall.allow')}
      </Button>
      <Button
        size="sm"
        variant="outline"
        aria-label={t('toolCall.denyNamed', { title })}
        loading={approve.isPending && !approve.variables}
        disabled={approve.isPending}
        onClick={() => decide(false)}
      >
        {t('toolCall.deny')}
      </Button>
    </Flex>
  );
}
