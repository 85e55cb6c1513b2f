import { Checkbox, CheckboxGroup, Fieldset, Flex, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ACCESS_MODES, type AccessMode, type AccessRule } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { groupsQuery } from '../../app/queries/groups.query';
import { FormField } from './form-field';
import { Select } from './select';

/** Value and text of the choices of access. */
export const accessOptions = () => ACCESS_MODES.map((mode) => [mode, t(`groups.access_${mode}`)] as const);

/** Whether two rules let the same people in. */
export const isSameAccess = (a: AccessRule, b: AccessRule): boolean =>
  a.access === b.access &&
  (a.access !== 'groups' ||
    (a.groupIds.length === b.groupIds.length && a.groupIds.every((id) => b.groupIds.includes(id))));

/** A rule as a change: groups count for `groups` alone, and one of the others may be deleted. */
export const accessChange = ({ access, groupIds }: AccessRule): Partial<AccessRule> =>
  access === 'groups' ? { access, groupIds } : { access };

interface AccessFieldsProps {
  rule: AccessRule;
  onChange: (rule: AccessRule) => void;
}

/** Chooses who may use a model or a tool server. */
export function AccessFields({ rule, onChange }: AccessFieldsProps) {
  return (
    <Stack gap="3">
      <FormField label={t('groups.access')} hint={rule.access === 'premium' ? t('groups.premiumHint') : undefined}>
        <Select
          value={rule.access}
          options={accessOptions()}
          onChange={(event) => onChange({ ...rule, access: event.target.value as AccessMode })}
        />
      </FormField>
      {rule.access === 'groups' && (
        <GroupChecks
          legend={t('groups.allowed')}
          groupIds={rule.groupIds}
          onChange={(groupIds) => onChange({ ...rule, groupIds })}
        />
      )}
    </Stack>
  );
}

interface GroupChecksProps {
  legend: string;
  groupIds: readonly number[];
  onChange: (groupIds: number[]) => void;
}

export function GroupChecks({ legend, groupIds, onChange }: GroupChecksProps) {
  const { data: groups } = useQuery(groupsQuery);
  return (
    <Fieldset.Root>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {legend}
      </Fieldset.Legend>
      {groups?.length === 0 && <Text color="fg.muted">{t('groups.none')}</Text>}
      <CheckboxGroup value={groupIds.map(String)} onValueChange={(ids) => onChange(ids.map(Number))}>
        <Flex wrap="wrap" columnGap="6" rowGap="2" maxH="12rem" overflowY="auto" mt="1.5">
          {groups?.map(({ id, name }) => (
            <Checkbox.Root key={id} value={String(id)} colorPalette="jade">
              <Checkbox.HiddenInput />
              <Checkbox.Control />
              <Checkbox.Label overflowWrap="anywhere">{name}</Checkbox.Label>
            </Checkbox.Root>
          ))}
        </Flex>
      </CheckboxGroup>
    </Fieldset.Root>
  );
}
