/** What runs this installation, for admins. */
export interface InstallationStatus {
  /** The beginning of a hash of the server's code, the same on all nodes of one version. */
  version: string;
  /** The processes that serve, oldest first. */
  nodes: { hostname: string; startedAt: string; isSameVersion: boolean }[];
  /** Whether Redis joins several nodes; otherwise one serves alone. */
  usesRedis: boolean;
}
