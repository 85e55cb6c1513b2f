/** Sections of the settings page in their order: the fragment of the address and the key of the title. */
export const SECTIONS = [
  { id: 'application', title: 'settingsPage.title' },
  { id: 'branding', title: 'branding.title' },
  { id: 'ideas', title: 'chat.conversationIdeas' },
  { id: 'links', title: 'links.title' },
  { id: 'registration', title: 'settingsPage.registration' },
  { id: 'two-factor', title: 'totp.title' },
  { id: 'sharing', title: 'settingsPage.sharing' },
  { id: 'quotas', title: 'settingsPage.quotas' },
  { id: 'budgets', title: 'budgets.title' },
  { id: 'projects', title: 'projects.title' },
  { id: 'api', title: 'sidebar.apiIntegration' },
  { id: 'alerts', title: 'alerts.title' },
  { id: 'tools', title: 'tools.label' },
  { id: 'task-models', title: 'settingsPage.taskModels' },
  { id: 'providers', title: 'settingsPage.providers' },
  { id: 'identity-providers', title: 'identityProviders.title' },
] as const;

export type SectionId = (typeof SECTIONS)[number]['id'];
