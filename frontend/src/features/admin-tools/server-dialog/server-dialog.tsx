import { Box, Input } from '@chakra-ui/react';
import { TOOL_SERVER_LIMITS, type ToolServer } from '@tanya/contract';
import { useState } from 'react';
import { Controller, useForm, type Control, useController, useWatch } from 'react-hook-form';
import { ApiError, errorText } from '../../../app/api/api-error';
import { formatDecimal } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { FormModal } from '../../../components/dialogs/form-modal';
import { notify } from '../../../components/feedback/notify';
import { AccessFields } from '../../../components/forms/access-fields';
import { FormField } from '../../../components/forms/form-field';
import { showServerErrors } from '../../../components/forms/server-errors';
import { failureText, fieldOf } from '../failure-text';
import { useSaveServer, useTestServer } from '../server-mutations';
import { HeaderFields } from './header-fields';
import {
  SERVER_RULES,
  type ServerValues,
  toCreateRequest,
  toTestRequest,
  toUpdateRequest,
  toServerValues,
} from './server-values';
import { PlanChecks } from '../../../components/forms/plan-checks';

interface ServerDialogProps {
  /** The server to edit; null adds one. */
  server: ToolServer | null;
  onClose: () => void;
}

/**
 * Adds or edits a server. A server that does not answer is saved too; the dialog stays open then and shows the failure at
 * the field that causes it.
 */
export function ServerDialog({ server: opened, onClose }: ServerDialogProps) {
  const [server, setServer] = useState(opened);
  const form = useForm<ServerValues>({ defaultValues: toServerValues(opened) });
  const { errors, isDirty } = form.formState;
  const save = useSaveServer(server?.id ?? null);
  const isUnreached = server !== opened;
  const { url, headers } = useWatch({ control: form.control });
  const entered = JSON.stringify([url, headers]);
  const test = useTestServer(entered);
  // The result goes when the address or a header changes.
  const isTested = test.context === entered;

  const showFailure = (failure: Parameters<typeof fieldOf>[0] & { message: string }) =>
    form.setError(fieldOf(failure), { message: failureText(failure) }, { shouldFocus: true });

  const tryOut = async () => {
    if (!(await form.trigger(['url', 'headers'], { shouldFocus: true }))) return;
    test.mutate(toTestRequest(form.getValues(), server), {
      onError: (error) => showServerErrors(error, ['url', 'headers'], form.setError),
      onSuccess: (result) => !result.ok && showFailure(result),
    });
  };

  const submit = (values: ServerValues) => {
    const request = server ? toUpdateRequest(values, server) : toCreateRequest(values);
    // The address alone makes the server be contacted again.
    if (isUnreached) request.url ??= values.url.trim();
    if (Object.keys(request).length === 0) return onClose();
    const wasContacted = !server || 'url' in request || 'headers' in request;
    save.mutate(request, {
      onError: (error) => {
        showServerErrors(error, ['name', 'url', 'headers', 'plans'], form.setError);
        if (isNameTaken(error)) form.setError('name', { message: errorText(error) }, { shouldFocus: true });
      },
      onSuccess: (saved) => {
        if (wasContacted && saved.lastError) {
          setServer(saved);
          return showFailure(saved.lastError);
        }
        onClose();
        notify({ title: t('toolServers.saved', { name: saved.name, count: saved.tools.length }) });
      },
    });
  };

  return (
    <FormModal
      title={opened ? t('toolServers.editTitle') : t('toolServers.addTitle')}
      action={opened ? t('models.saveChanges') : t('toolServers.connect')}
      pending={save.isPending}
      pendingText={t('toolServers.contacting')}
      isSaved={!isDirty}
      cancel={isUnreached ? t('common.close') : undefined}
      otherActions={
        <LoadingButton variant="outline" me="auto" loading={test.isPending} onClick={() => void tryOut()}>
          {t('connections.test')}
        </LoadingButton>
      }
      onSubmit={form.handleSubmit(submit)}
      onClose={onClose}
    >
      <FormField label={t('common.name')} hint={t('toolServers.nameHint')} error={errors.name?.message}>
        <Input maxLength={TOOL_SERVER_LIMITS.name.max} {...form.register('name', { validate: SERVER_RULES.name })} />
      </FormField>
      <FormField label={t('toolServers.url')} hint={t('toolServers.urlHint')} error={errors.url?.message}>
        <Input
          type="url"
          inputMode="url"
          placeholder="https://mcp.example.com/mcp"
          maxLength={TOOL_SERVER_LIMITS.url.max}
          {...form.register('url', { validate: SERVER_RULES.url })}
        />
      </FormField>
      <HeaderFields control={form.control} storedNames={server?.headerNames ?? []} />
      <PlanFields control={form.control} />
      <Controller
        control={form.control}
        name="rule"
        render={({ field }) => <AccessFields rule={field.value} onChange={field.onChange} />}
      />
      <Box role="status">
        {isTested && test.data?.ok
          ? t('toolServers.tested', { count: test.data.tools, seconds: formatDecimal(test.data.ms / 1000) })
          : isUnreached && t('toolServers.savedUnreached')}
      </Box>
    </FormModal>
  );
}

function isNameTaken(error: unknown): boolean {
  const details = error instanceof ApiError ? error.body?.details : undefined;
  return !Array.isArray(details) && details?.params?.['reason'] === 'tool_server_name';
}

function PlanFields({ control }: { control: Control<ServerValues> }) {
  const { field } = useController({ control, name: 'plans' });
  return (
    <PlanChecks
      legend={t('toolServers.plans')}
      hint={t('toolServers.plansHint')}
      plans={field.value}
      onChange={field.onChange}
      boxRef={field.ref}
      onBlur={field.onBlur}
    />
  );
}
