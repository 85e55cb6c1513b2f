/** Port: says whether this node still owns its runs. `nodes/` implements it. */
export abstract class RunOwnership {
  /** False after a stall, until Postgres has confirmed the runs. Their events are not emitted meanwhile. */
  abstract get isVerified(): boolean;
}
