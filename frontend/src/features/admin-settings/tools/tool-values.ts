import {
  BUILT_IN_TOOLS,
  type AdminSettings,
  type BuiltInTool,
  type Plan,
  PLANS,
  type SearchChoice,
  type UpdateSettingsRequest,
} from '@tanya/contract';

/** The form field of a tool: the plans that may use it, separated by blanks. Each tool is a field, so that it is saved alone. */
export type PlansField = `plans_${BuiltInTool}`;

/** The form field of the steps of a plan, a number as typed. */
export type StepsField = `steps_${Plan}`;

export interface ToolValues extends Record<PlansField | StepsField, string> {
  searchBackend: SearchChoice;
  searxngUrl: string;
  braveApiKey: string;
  tavilyApiKey: string;
}

const PREFIX = 'plans_';

export const plansField = (tool: BuiltInTool): PlansField => `${PREFIX}${tool}`;

export const isPlansField = (name: string): name is PlansField => name.startsWith(PREFIX);

export const stepsField = (plan: Plan): StepsField => `steps_${plan}`;

export const isStepsField = (name: string): name is StepsField => name.startsWith('steps_');

export const plansIn = (value: string): Plan[] => PLANS.filter((plan) => value.split(' ').includes(plan));

/** The field's value, always in the order of `PLANS`, so that a choice and its undoing leave the form unchanged. */
export const fromPlans = (plans: readonly string[]): string => PLANS.filter((plan) => plans.includes(plan)).join(' ');

export function toToolValues(settings: AdminSettings): ToolValues {
  const { builtInTools, maxSteps, searchBackend, searxngUrl, braveApiKey, tavilyApiKey } = settings;
  const plans = BUILT_IN_TOOLS.map((tool) => [plansField(tool), fromPlans(builtInTools[tool])]);
  return {
    ...(Object.fromEntries(plans) as Record<PlansField, string>),
    ...(Object.fromEntries(PLANS.map((plan) => [stepsField(plan), String(maxSteps[plan])])) as Record<
      StepsField,
      string
    >),
    searchBackend,
    searxngUrl,
    braveApiKey,
    tavilyApiKey,
  };
}

/** The request for the changed tools. */
export function plansRequest(
  values: ToolValues,
  changed: readonly PlansField[],
): Pick<UpdateSettingsRequest, 'builtInTools'> {
  if (changed.length === 0) return {};
  const tools = changed.map((name) => [name.slice(PREFIX.length), plansIn(values[name])]);
  return { builtInTools: Object.fromEntries(tools) as UpdateSettingsRequest['builtInTools'] };
}

/** The request for the steps of all plans, which the server takes together. */
export function stepsRequest(
  values: ToolValues,
  changed: readonly StepsField[],
): Pick<UpdateSettingsRequest, 'maxSteps'> {
  if (changed.length === 0) return {};
  const steps = (plan: Plan) => Number(values[stepsField(plan)]);
  return { maxSteps: { guest: steps('guest'), free: steps('free'), premium: steps('premium') } };
}
