import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { queryClient } from '../../app/queries/query-client';
import { FakeTheme } from '../../components/layout/fake-theme';
import { SETTINGS } from './fake-settings';
import { type SettingsValues, toSettingsValues } from './setting-values';

/** A form of the saved settings with some of their fields, for tests: it renders in a part of the time of the whole form. */
function FakeForm({ onSave, children }: { onSave: (values: SettingsValues) => void; children: ReactNode }) {
  const form = useForm<SettingsValues>({ values: toSettingsValues(SETTINGS) });
  return (
    <FakeTheme>
      <QueryClientProvider client={queryClient}>
        <FormProvider {...form}>
          <form noValidate onSubmit={(event) => void form.handleSubmit(onSave)(event)}>
            {children}
            <button type="submit">Save</button>
          </form>
        </FormProvider>
      </QueryClientProvider>
    </FakeTheme>
  );
}

/** Shows fields of the settings. `onSave` is called by the button "Save" when they are valid. */
export function showFields(fields: ReactNode, onSave: (values: SettingsValues) => void = () => undefined) {
  queryClient.clear();
  render(<FakeForm onSave={onSave}>{fields}</FakeForm>);
  return userEvent.setup({ delay: null });
}
