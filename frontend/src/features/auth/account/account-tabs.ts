/** The tabs of the account page, the last part of their addresses. */
export const ACCOUNT_TABS = ['general', 'personal', 'security', 'data'] as const;

export type AccountTab = (typeof ACCOUNT_TABS)[number];
