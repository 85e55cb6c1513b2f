import type { AccessMode, AccessRule, ModelKind, ProjectRole } from '@tanya/contract';
import { type Asker, type PlanName, planNameOf } from '../identity/identity.js';

/** A model of the table, or of a server on this machine. */
export interface ModelResource extends AccessRule {
  modelId: string;
  kind: ModelKind;
  isEnabled: boolean;
  /** Whether programs may call it. */
  isApiEnabled: boolean;
}

export interface ToolServerResource extends AccessRule {
  plans: readonly PlanName[];
}

export interface ProjectResource {
  /** The role of the asker; null for a stranger. */
  role: ProjectRole | null;
}

/** `read`: use it in chats. `edit`: its instructions and files. `own`: its members and its deletion. */
export type ProjectUse = 'read' | 'edit' | 'own';

/** What access is asked for. @param kinds the kinds of models that the call takes */
export type Resource =
  | { model: ModelResource; kinds?: readonly ModelKind[] }
  | { toolServer: ToolServerResource }
  | { project: ProjectResource; use: ProjectUse };

/** `premium`: only the plan is missing. The page lists such a model with a lock. Everything else that is refused is unknown. */
export type Verdict = 'allowed' | 'premium' | 'refused';

const VERDICTS: Readonly<Record<AccessMode, Verdict>> = {
  everyone: 'allowed',
  premium: 'premium',
  groups: 'refused',
};

const USES: Readonly<Record<ProjectRole, readonly ProjectUse[]>> = {
  viewer: ['read'],
  editor: ['read', 'edit'],
  owner: ['read', 'edit', 'own'],
};

function verdictOfRule({ isAdmin, isPremium, groupIds }: Asker, { access, groupIds: allowed }: AccessRule): Verdict {
  if (isAdmin || (access === 'premium' && isPremium)) return 'allowed';
  if (access === 'groups' && groupIds.some((id) => allowed.includes(id))) return 'allowed';
  return VERDICTS[access];
}

/** Whether a model may be listed for an asker: programs see no locks. Disabled ones are listed as such. */
export function isListedFor(asker: Asker, model: ModelResource): boolean {
  const { apiKey } = asker;
  if (apiKey === undefined) return verdictOfRule(asker, model) !== 'refused';
  return verdictOf(asker, { model }) === 'allowed';
}

/**
 * The one place that decides who may use what: admission, each further step, lists, titles and tools ask here. A call with a
 * key needs its list of models and the model's API switch too, and never learns of premium models. Admins may use all that is
 * enabled; a project is private to its members, of whom no key is one.
 */
export function verdictOf(asker: Asker, resource: Resource): Verdict {
  if ('project' in resource) {
    const { project, use } = resource;
    const isAllowed = asker.apiKey === undefined && project.role !== null && USES[project.role].includes(use);
    return isAllowed ? 'allowed' : 'refused';
  }
  if ('toolServer' in resource) {
    const { toolServer } = resource;
    return toolServer.plans.includes(planNameOf(asker)) ? verdictOfRule(asker, toolServer) : 'refused';
  }
  const { model, kinds = [model.kind] } = resource;
  const { apiKey } = asker;
  if (!model.isEnabled || !kinds.includes(model.kind)) return 'refused';
  if (apiKey === undefined) return verdictOfRule(asker, model);
  const isOpen = model.isApiEnabled && (apiKey.models?.includes(model.modelId) ?? true);
  return isOpen && verdictOfRule(asker, model) === 'allowed' ? 'allowed' : 'refused';
}

export const may = (asker: Asker, resource: Resource): boolean => verdictOf(asker, resource) === 'allowed';
