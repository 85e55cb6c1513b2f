import { CheckboxGroup, Fieldset, Flex } from '@chakra-ui/react';
import { type Plan, PLANS } from '@tanya/contract';
import type { RefCallBack } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { LabelledCheckbox } from './labelled-checkbox';

interface PlanChecksProps {
  legend: string;
  hint: string;
  plans: readonly Plan[];
  /** Gets the plans in their usual order. */
  onChange: (plans: Plan[]) => void;
  /** Gets the first box, which is focused when the form is refused. */
  boxRef: RefCallBack;
  onBlur: () => void;
}

export function PlanChecks({ legend, hint, plans, onChange, boxRef, onBlur }: PlanChecksProps) {
  return (
    <Fieldset.Root>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {legend}
      </Fieldset.Legend>
      <Fieldset.HelperText textStyle="xs">{hint}</Fieldset.HelperText>
      <CheckboxGroup
        value={[...plans]}
        onValueChange={(chosen) => onChange(PLANS.filter((plan) => chosen.includes(plan)))}
      >
        <Flex wrap="wrap" columnGap="6" rowGap="2">
          {PLANS.map((plan, index) => (
            <LabelledCheckbox
              key={plan}
              value={plan}
              label={t(`toolSettings.${plan}`)}
              input={{ ref: index === 0 ? boxRef : undefined, onBlur }}
            />
          ))}
        </Flex>
      </CheckboxGroup>
    </Fieldset.Root>
  );
}
