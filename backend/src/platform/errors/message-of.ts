/** The message alone, for logs: errors of queries carry their parameters, such as addresses. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
