import { Box, Checkbox, CheckboxGroup, Fieldset, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Control, useController, useWatch } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { modelsQuery } from '../../../app/queries/models.query';
import { FormCheckbox } from '../../../components/forms/form-checkbox';
import { SearchField } from '../../../components/forms/search-field';
import { apiModels } from '../api-models';
import { KEY_RULES, type KeyValues } from './key-values';

/** Number of models from which the list has a search. */
const SEARCHED_FROM = 10;

export function ModelsField({ control }: { control: Control<KeyValues> }) {
  const allModels = useWatch({ control, name: 'allModels' });
  return (
    <Fieldset.Root>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {t('keys.models')}
      </Fieldset.Legend>
      <Stack gap="2" mt="1.5">
        <FormCheckbox control={control} name="allModels" label={t('keys.allModels')} />
        {!allModels && <ModelList control={control} />}
      </Stack>
    </Fieldset.Root>
  );
}

function ModelList({ control }: { control: Control<KeyValues> }) {
  const { field, fieldState } = useController({ control, name: 'models', rules: { validate: KEY_RULES.models } });
  const [search, setSearch] = useState('');
  const choices = useChoices(field.value);
  const wanted = search.trim().toLowerCase();
  const found = choices.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(wanted));
  return (
    // Not a `Field`, which would give each checkbox the same id.
    <Stack gap="2">
      {choices.length > SEARCHED_FROM && (
        <SearchField label={t('keys.searchModels')} value={search} onChange={setSearch} maxW="100%" />
      )}
      <Box borderWidth="1px" borderRadius="l2" p="3" width="100%" maxH="12rem" overflowY="auto">
        {found.length === 0 && <Text color="fg.muted">{t('modelMenu.noMatch')}</Text>}
        <CheckboxGroup colorPalette="jade" value={field.value} onValueChange={field.onChange}>
          <Stack gap="2">
            {found.map(({ id, name }) => (
              <Checkbox.Root key={id} value={id} colorPalette="jade">
                <Checkbox.HiddenInput />
                <Checkbox.Control />
                <Checkbox.Label overflowWrap="anywhere">{name}</Checkbox.Label>
              </Checkbox.Root>
            ))}
          </Stack>
        </CheckboxGroup>
      </Box>
      {fieldState.error && (
        <Text role="alert" textStyle="xs" color="fg.error">
          {fieldState.error.message}
        </Text>
      )}
    </Stack>
  );
}

/** The models of the API, and those of the key that the API no longer offers. */
function useChoices(chosen: readonly string[]): { id: string; name: string }[] {
  const { data = [] } = useQuery(modelsQuery);
  const [stored] = useState(chosen);
  const offered = apiModels(data).map(({ modelId, name }) => ({ id: modelId, name }));
  const missing = stored.filter((id) => !offered.some((model) => model.id === id));
  return [...offered, ...missing.map((id) => ({ id, name: id }))];
}
