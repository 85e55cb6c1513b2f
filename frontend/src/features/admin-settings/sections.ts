/** Sections of the settings page in their order. The id is the fragment of the address. */
export const SECTIONS = [
  { id: 'application', title: 'Application Settings' },
  { id: 'ideas', title: 'Conversation Ideas' },
  { id: 'links', title: 'Links' },
  { id: 'registration', title: 'Registration' },
  { id: 'two-factor', title: 'Two-factor login' },
  { id: 'quotas', title: 'User Message Quotas' },
  { id: 'providers', title: 'Model providers' },
  { id: 'connections', title: 'Connections' },
] as const;

export type SectionId = (typeof SECTIONS)[number]['id'];
