/** Paths of the pages that an administrator sees beside the chat. */
export const PAGES = [
  '/admin',
  '/admin/users',
  '/admin/tools',
  '/admin/usage',
  '/admin/audit',
  '/admin/settings',
  '/api-integration',
  '/usage',
];
