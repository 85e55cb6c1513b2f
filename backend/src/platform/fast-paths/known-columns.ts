import pg from 'pg';

export type PreparedStatement = pg.QueryConfig & { name: string };

type QueryCallback = (error: Error | null, result: pg.QueryResult) => void;

interface Wire {
  describe(message: object): void;
}

interface PlainQuery extends pg.Submittable {
  readonly name: string;
  prepare(wire: Wire): void;
  handleRowDescription(message: { fields: pg.FieldDef[] }): void;
}

/** `pg.Query` with the methods that its types leave out. */
const Query = pg.Query as unknown as new (config: pg.QueryConfig, callback: QueryCallback) => PlainQuery;

/** The columns of the prepared statements of one connection, by name. Postgres keeps them for the life of a statement. */
export type Columns = Map<string, pg.FieldDef[]>;

const skip = { describe: { value: () => undefined } };

/**
 * A query of a prepared statement that asks for its columns at its first execution on a connection alone. pg asks each time,
 * and reads seven fields of each column. The plain path is `pg.Query`, the rows are the same.
 *
 * A statement of 11 columns takes 79 µs of CPU with it and 95 µs without (decision 56).
 */
export class KnownColumnsQuery extends Query {
  constructor(
    config: PreparedStatement,
    private readonly columns: Columns,
    callback: QueryCallback,
  ) {
    super(config, callback);
  }

  override handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    this.columns.set(this.name, message.fields);
    super.handleRowDescription(message);
  }

  override prepare(wire: Wire): void {
    const fields = this.columns.get(this.name);
    if (fields === undefined) return super.prepare(wire);
    super.handleRowDescription({ fields });
    super.prepare(Object.create(wire, skip) as Wire);
  }
}
