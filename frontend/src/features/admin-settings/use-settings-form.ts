import type { AdminSettings } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { errorText } from '../../app/api/api-error';
import { showServerErrors } from '../../components/forms/server-errors';
import { showStored } from '../../components/forms/show-stored';
import { changesOf, type SettingsField, type SettingsValues, toRequest, toValues } from './setting-values';
import { useSaveSettings } from './settings.query';

/** The settings form: its unsaved changes, and saving or discarding them. */
export function useSettingsForm(settings: AdminSettings) {
  const form = useForm<SettingsValues>({
    values: toValues(settings),
    // Another admin's changes appear without overwriting fields that are edited here.
    resetOptions: { keepDirtyValues: true },
  });
  const request = useSaveSettings(settings);
  const { errors, dirtyFields } = form.formState;
  // `isDirty` of the form is false after another admin's change.
  const changed = (Object.keys(dirtyFields) as SettingsField[]).filter((name) => dirtyFields[name]);

  const send = (sent: SettingsValues) =>
    new Promise<boolean>((resolve) => {
      request.mutate(toRequest(sent, changed), {
        onSuccess: ({ now }) => {
          showStored(form, toValues(now), sent);
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
    /** What the unsaved changes will do. */
    preview: () => changesOf(toRequest(form.getValues(), changed), settings),
    errors: Object.keys(errors).length,
    failure: request.error ? errorText(request.error) : null,
    isSaving: request.isPending,
    save,
    discard: () => {
      form.reset(toValues(settings), { keepDirtyValues: false });
      request.reset();
    },
    focusError: () => firstError && form.setFocus(firstError),
  };
}
