/** The settings of limits before each test that changes them. */
export const USUAL_LIMITS = {
  guestMessageQuota: 3,
  freeUserMessageQuota: 100,
  premiumUserMessageQuota: -1,
  guestAddressDailyQuota: 1_000,
  guestHourlyBudget: 1_000,
  quotaPeriod: 'never',
};
