const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'needs rights that this user lacks',
  EADDRNOTAVAIL: 'cannot be used: this machine has no such address',
  ENOTFOUND: 'cannot be used: HOST is no address of this machine',
  EAI_AGAIN: 'cannot be used: HOST cannot be looked up',
};

/** What an operator can mend when the server cannot listen; other errors as they are. */
export function listenProblem(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const { code } = error as { code?: unknown };
  const reason = typeof code === 'string' ? REASONS[code] : undefined;
  return reason === undefined ? error : new Error(`PORT ${port} of HOST ${host} ${reason}.`, { cause: error });
}

/** All addresses, and those of this machine alone. */
const LOCAL = ['0.0.0.0', '::', '127.0.0.1', '::1', 'localhost'];

/** The host under which a browser on this machine reaches a server that listens at HOST. */
export function shownHost(host: string): string {
  if (LOCAL.includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
