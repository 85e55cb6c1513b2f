export const OPTIMIZES_LATE: string[];
