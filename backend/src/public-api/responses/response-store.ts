import { API_LIMITS, type ChatCompletionMessage, type ResponseSettings, type ResponseState } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';

export interface StoredResponse {
  /** UUID of its generation. */
  id: string;
  settings: ResponseSettings;
  input: ChatCompletionMessage[];
  /** null while it runs, and after its node died before it stored the end. */
  state: ResponseState | null;
  /** Epoch seconds. */
  created: number;
}

interface Row {
  id: string;
  settings: string;
  input: string;
  state: string | null;
  created: number;
}

const COLUMNS = 'r.id, r.settings, r.input, r.state, extract(epoch from r.created_at)::int as created';

/** $1 the last response, $2 the account. The first row beyond a bound is read too, which shows that the bound is exceeded. */
const CHAIN = `
with recursive chain as (
  select r.id, r.previous_id, 1 as depth, r.characters as total
  from api_response r where r.id = $1 and r.user_id = $2
  union all
  select r.id, r.previous_id, chain.depth + 1, chain.total + r.characters
  from chain join api_response r on r.id = chain.previous_id and r.user_id = $2
  where chain.depth <= ${API_LIMITS.previousResponses} and chain.total <= ${API_LIMITS.previousCharacters}
)`;

/** $1 account, $2 responses, $3 characters: the newest within both bounds stay, and the very newest always. */
const TRIM = `
delete from api_response where user_id = $1 and id in (
  select id from (
    select id, row_number() over newest as position, sum(characters) over newest as total
    from api_response where user_id = $1
    window newest as (order by created_at desc, id desc)
  ) ranked
  where position > $2 or (total > $3 and position > 1)
)`;

/** Stored responses in Postgres, each for its own account alone. */
@Injectable()
export class ResponseStore {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async insert(
    userId: number,
    { id, settings, input, created }: Omit<StoredResponse, 'state'>,
    previousId: string | null,
  ): Promise<void> {
    const json = JSON.stringify(input);
    await this.dataSource.query(
      `insert into api_response (id, user_id, previous_id, settings, input, characters, created_at)
       values ($1, $2, $3, $4, $5, $6, to_timestamp($7))`,
      [id, userId, previousId, JSON.stringify(settings), json, json.length, created],
    );
  }

  /** Stores the end of a response. The first end wins. */
  async finish(id: string, state: ResponseState): Promise<void> {
    const json = JSON.stringify(state);
    await this.dataSource.query(
      `update api_response set state = $2, characters = characters + $3 where id = $1 and state is null`,
      [id, json, json.length],
    );
  }

  async find(userId: number, id: string): Promise<StoredResponse | null> {
    const rows = await this.dataSource.query<Row[]>(
      `select ${COLUMNS} from api_response r where r.id = $1 and r.user_id = $2`,
      [id, userId],
    );
    return rows[0] === undefined ? null : toStored(rows[0]);
  }

  /** Size of the conversation that ends with a response; `isWhole` is false when an earlier response was deleted. */
  async measure(userId: number, id: string): Promise<{ responses: number; characters: number; isWhole: boolean }> {
    const [row] = await this.dataSource.query<[{ responses: number; characters: number; isWhole: boolean }]>(
      `${CHAIN} select count(*)::int as responses, coalesce(max(total), 0)::int as characters,
         coalesce(bool_or(previous_id is null), false) as "isWhole" from chain`,
      [id, userId],
    );
    return row;
  }

  /** The conversation that ends with a response, the earliest first. */
  async chain(userId: number, id: string): Promise<StoredResponse[]> {
    const rows = await this.dataSource.query<Row[]>(
      `${CHAIN} select ${COLUMNS} from chain join api_response r on r.id = chain.id order by chain.depth desc`,
      [id, userId],
    );
    return rows.map(toStored);
  }

  /** @returns whether the account had this response */
  async delete(userId: number, id: string): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      `delete from api_response where id = $1 and user_id = $2`,
      [id, userId],
    );
    return count > 0;
  }

  /** The ids of all responses of an account, the earliest first. */
  async ids(userId: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      'select id from api_response where user_id = $1 order by created_at, id',
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  /** Characters of some responses of an account, with their input. */
  async charactersOf(userId: number, ids: readonly string[]): Promise<number> {
    const [row] = await this.dataSource.query<[{ characters: number }]>(
      `select coalesce(sum(characters), 0)::float8 as characters from api_response
       where id = any($2::uuid[]) and user_id = $1`,
      [userId, ids],
    );
    return row.characters;
  }

  /** Some responses of an account, the earliest first. */
  async findMany(userId: number, ids: readonly string[]): Promise<StoredResponse[]> {
    const rows = await this.dataSource.query<Row[]>(
      `select ${COLUMNS} from api_response r where r.id = any($2::uuid[]) and r.user_id = $1
       order by r.created_at, r.id`,
      [userId, ids],
    );
    return rows.map(toStored);
  }

  /** Deletes the oldest responses of an account above a number or a sum of characters. */
  async trim(userId: number, responses: number, characters: number): Promise<void> {
    await this.dataSource.query(TRIM, [userId, responses, characters]);
  }

  /** Deletes responses of an age in seconds. @returns how many, at most `limit` */
  async expire(ageSeconds: number, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      `delete from api_response where id in (
         select id from api_response where created_at < now() - $1 * interval '1 second'
         order by created_at limit $2 for update skip locked)`,
      [ageSeconds, limit],
    );
    return count;
  }
}

const toStored = ({ id, settings, input, state, created }: Row): StoredResponse => ({
  id,
  settings: JSON.parse(settings) as ResponseSettings,
  input: JSON.parse(input) as ChatCompletionMessage[],
  state: state === null ? null : (JSON.parse(state) as ResponseState),
  created,
});
