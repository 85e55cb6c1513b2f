import { Box, Stack } from '@chakra-ui/react';
import { Link } from '@tanstack/react-router';
import type { AdminSettings } from '@tanya/contract';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { FormProvider, useForm, type UseFormReturn } from 'react-hook-form';
import { RichText } from '../../app/i18n/rich-text';
import { t } from '../../app/i18n/translate';
import { UnsavedDialog } from '../../components/dialogs/unsaved-dialog';
import { useUnsavedGuard } from '../../components/hooks/use-unsaved-guard';
import {
  ApiFields,
  RegistrationFields,
  TwoFactorFields,
  AppearanceFields,
  QuotaFields,
  LinkFields,
  BudgetFields,
  SharingFields,
  ProjectFields,
  TaskModelFields,
  GeneratedIdeasField,
} from './plain-sections';
import { AlertFields } from './alert-fields';
import { BrandingFields } from './branding-fields';
import { IdeaFields } from './ideas/idea-fields';
import { ProviderList } from './identity-providers/provider-list';
import { ProviderFields } from './provider-fields';
import { SaveBar } from './save-bar';
import { ToolFields } from './tools/tool-fields';
import { Panel } from '../../components/layout/panel';
import { type SectionId, SECTIONS } from './sections';
import { errorText } from '../../app/api/api-error';
import { showServerErrors } from '../../components/forms/server-errors';
import { showStored } from '../../components/forms/show-stored';
import { changesOf, type SettingsField, type SettingsValues, toRequest, toSettingsValues } from './setting-values';
import { useSaveSettings } from './settings.query';

export function SettingsForm({ settings }: { settings: AdminSettings }) {
  const formId = useId();
  const { form, changes, overtaken, preview, errors, failure, isSaving, save, discard, focusError } =
    useSettingsForm(settings);
  const guard = useUnsavedGuard(() => changes > 0);
  useEffect(() => {
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, []);

  return (
    <FormProvider {...form}>
      <Box minW="0" maxW="40rem" width="100%">
        <Stack gap="6">
          <form
            id={formId}
            noValidate
            autoComplete="off"
            data-saved={changes === 0}
            onSubmit={(event) => {
              event.preventDefault();
              void save();
            }}
          >
            <Stack gap="6">
              <Section id="application">
                <AppearanceFields />
              </Section>
              <Section id="branding" hint={t('branding.hint')}>
                <BrandingFields />
              </Section>
              <Section id="ideas" hint={t('settingsPage.ideasHint')}>
                <GeneratedIdeasField />
                <IdeaFields />
              </Section>
              <Section id="links" hint={t('links.hint')}>
                <LinkFields />
              </Section>
              <Section id="registration">
                <RegistrationFields />
              </Section>
              <Section id="two-factor" hint={t('settingsPage.totpHint')}>
                <TwoFactorFields />
              </Section>
              <Section id="sharing" hint={t('settingsPage.sharingHint')}>
                <SharingFields />
              </Section>
              <Section id="quotas">
                <QuotaFields />
              </Section>
              <Section id="budgets" hint={t('budgets.hint')}>
                <BudgetFields budget={settings.installationBudget} />
              </Section>
              <Section id="projects" hint={t('projectLimits.hint')}>
                <ProjectFields />
              </Section>
              <Section id="api">
                <ApiFields />
              </Section>
              <Section id="alerts" hint={t('alerts.hint')}>
                <AlertFields />
              </Section>
              <Section id="tools" hint={<ToolsHint />}>
                <ToolFields />
              </Section>
              <Section id="task-models" hint={t('settingsPage.taskModelsHint')}>
                <TaskModelFields />
              </Section>
              <Section id="providers" hint={<ProvidersHint />}>
                <ProviderFields />
              </Section>
            </Stack>
          </form>
          <Section id="identity-providers" hint={t('identityProviders.hint')}>
            <ProviderList />
          </Section>
        </Stack>
        <SaveBar
          formId={formId}
          changes={changes}
          overtaken={overtaken}
          preview={preview}
          errors={errors}
          failure={failure}
          isSaving={isSaving}
          onDiscard={discard}
          onShowError={focusError}
        />
      </Box>
      {guard.isAsking && (
        <UnsavedDialog
          isSaving={isSaving}
          finalFocus={firstInvalid}
          onStay={guard.stay}
          onDiscard={() => {
            discard();
            guard.leave();
          }}
          onSave={() => void save().then((isSaved) => (isSaved ? guard.leave() : guard.stay()))}
        />
      )}
    </FormProvider>
  );
}

function ToolsHint() {
  return (
    <RichText
      text={t('toolSettings.hint', { page: t('sidebar.toolServers') })}
      tags={{
        servers: (words) => (
          <Link to="/admin/{-$page}" params={{ page: 'tools' }} style={{ textDecoration: 'underline' }}>
            {words}
          </Link>
        ),
      }}
    />
  );
}

function ProvidersHint() {
  return (
    <RichText
      text={t('settingsPage.providersHint', { page: t('sidebar.connections') })}
      tags={{
        connections: (words) => (
          <Link to="/admin/{-$page}" params={{ page: 'connections' }} style={{ textDecoration: 'underline' }}>
            {words}
          </Link>
        ),
      }}
    />
  );
}

/** The field that a refused save should show; null when the fields are valid. */
function firstInvalid(): HTMLElement | null {
  return document.querySelector<HTMLElement>('form [aria-invalid=true]');
}

interface SectionProps {
  id: SectionId;
  hint?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A section of the settings page, below the sticky navigation when it is scrolled to. */
function Section({ id, ...panel }: SectionProps) {
  return (
    <Box id={id} scrollMarginTop={{ base: '4rem', xl: '2rem' }}>
      <Panel title={t(SECTIONS.find((section) => section.id === id)!.title)} {...panel} />
    </Box>
  );
}

/** The settings form: its unsaved changes, and saving or discarding them. */
function useSettingsForm(settings: AdminSettings) {
  const form = useForm<SettingsValues>({
    values: toSettingsValues(settings),
    // Another admin's changes appear without overwriting fields that are edited here.
    resetOptions: { keepDirtyValues: true },
  });
  const request = useSaveSettings(settings);
  const { errors, dirtyFields } = form.formState;
  // `isDirty` of the form is false after another admin's change.
  const changed = (Object.keys(dirtyFields) as SettingsField[]).filter((name) => dirtyFields[name]);
  const overtaken = useOvertaken(settings, form, changed);

  const send = (sent: SettingsValues) =>
    new Promise<boolean>((resolve) => {
      request.mutate(toRequest(sent, changed), {
        onSuccess: ({ now }) => {
          overtaken.begin(now);
          showStored(form, toSettingsValues(now), sent);
          resolve(true);
        },
        onError: (error) => {
          showServerErrors(error, Object.keys(sent) as SettingsField[], form.setError);
          resolve(false);
        },
      });
    });

  /** Returns whether the changes were saved. */
  const save = async (): Promise<boolean> => {
    let isSaved = false;
    await form.handleSubmit(async (sent) => {
      isSaved = await send(sent);
    })();
    return isSaved;
  };

  const [firstError] = Object.keys(errors) as SettingsField[];
  return {
    form,
    changes: changed.length,
    overtaken: overtaken.fields.length,
    /** What the unsaved changes will do. */
    preview: () => changesOf(toRequest(form.getValues(), changed), settings),
    errors: Object.keys(errors).length,
    failure: request.error ? errorText(request.error) : null,
    isSaving: request.isPending,
    save,
    discard: () => {
      overtaken.begin(settings);
      form.reset(toSettingsValues(settings), { keepDirtyValues: false });
      request.reset();
    },
    focusError: () => firstError && form.setFocus(firstError),
  };
}

/**
 * The edited fields whose stored value was changed elsewhere since, such as by another admin: saving replaces it.
 * `begin` forgets them; what it is given was saved or seen here.
 */
function useOvertaken(settings: AdminSettings, form: UseFormReturn<SettingsValues>, changed: SettingsField[]) {
  const [shown, setShown] = useState(settings);
  const [own, setOwn] = useState(settings);
  const [fields, setFields] = useState<SettingsField[]>([]);
  if (shown !== settings) {
    const [before, now, saved] = [toSettingsValues(shown), toSettingsValues(settings), toSettingsValues(own)];
    const isOvertaken = (name: SettingsField) =>
      now[name] !== before[name] && now[name] !== saved[name] && now[name] !== form.getValues(name);
    setShown(settings);
    setFields([...new Set([...fields, ...changed.filter(isOvertaken)])]);
  }
  return {
    fields: fields.filter((name) => changed.includes(name)),
    begin: (stored: AdminSettings) => {
      setOwn(stored);
      setFields([]);
    },
  };
}
