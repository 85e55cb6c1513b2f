import { createHash } from 'node:crypto';
import pg from 'pg';

type Callback = (error: Error | null, ...results: unknown[]) => void;

/**
 * The comment that a statement begins with whose plan has to fit its values: Postgres soon makes one plan for all values
 * of a prepared statement, and where few rows match another one is best than where nearly all do.
 */
export const PLANNED_EACH_TIME = 'planned each time';

/** Different statements that are prepared; ours are far fewer, and what comes on top is planned each time. */
const CAPACITY = 500;

/** The name of each prepared statement, the same on every connection. */
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < CAPACITY && !text.startsWith(`/* ${PLANNED_EACH_TIME}`)) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
  }
  return name;
}

/**
 * A connection on which Postgres parses and plans a statement once instead of every time, which is most of what a short
 * statement costs. A pooler between us and Postgres may give each transaction another of its connections, where nothing
 * is prepared: there every statement is sent whole.
 */
export class Connection extends pg.Client {
  /** Whether Postgres itself is at the other end. */
  private isDirect = false;

  constructor(config?: pg.ClientConfig) {
    super(config);
    // Between the pool and its borrower a connection has nobody who listens for a moment; an error that nobody hears
    // would end the process. Whoever uses the connection next is told by its query.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): unknown {
    const connected = super.connect().then(async () => {
      try {
        await this.recognise();
      } catch (error) {
        // The pool forgets a connection that could not be opened, and would leave this one open.
        void this.end().catch(() => undefined);
        throw error;
      }
      return this;
    });
    if (callback === undefined) return connected;
    connected.then(
      () => callback(null as unknown as Error),
      (error: Error) => callback(error),
    );
  }

  // pg overloads `query` a dozen times; all that matters here is what comes first.
  override query = ((query: unknown, values?: unknown, callback?: Callback) => {
    const name =
      this.isDirect && typeof query === 'string' && Array.isArray(values) && values.length > 0 && nameOf(query);
    return super.query((name ? { name, text: query } : query) as string, values as unknown[], callback as never);
  }) as pg.Client['query'];

  /** A pooler gives its clients process ids of its own making. */
  private async recognise(): Promise<void> {
    const { rows } = await super.query<{ pid: number }>('select pg_backend_pid() as pid');
    this.isDirect = rows[0]?.pid === (this as unknown as { processID: number }).processID;
  }
}
