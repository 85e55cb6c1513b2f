import { jsonPieces } from '../../platform/json/json-writer.js';
import { inSlices } from '../../platform/system/slices.js';
import { setImmediate } from 'node:timers/promises';
import { API_LIMITS, type ChatCompletionMessage, type ResponseSettings, type ResponseState } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';
import { TextQuota } from '../../chat/messages/text-quota.js';
import type { ApiResponseEntity } from './api-response.entity.js';

/** Characters of texts that are read and parsed in one turn of the event loop: about 10 ms. */
const TURN_CHARACTERS = 1_000_000;

export interface StoredResponse {
  /** UUID of its generation. */
  id: string;
  settings: ResponseSettings;
  /** null while it runs, and after its node died before it stored the end. */
  state: ResponseState | null;
  /** Epoch seconds. */
  created: number;
}

/** A response without its texts. */
export interface ResponseOutline {
  id: string;
  previousId: string | null;
  /** Characters of its input and state. */
  characters: number;
}

/** The texts of a response that a later one reads. */
export interface ResponseTexts extends Pick<StoredResponse, 'id' | 'state'> {
  /** The messages of its own request. */
  input: ChatCompletionMessage[];
}

interface Row {
  id: string;
  settings: string;
  state: string | null;
  created: number;
}

type TextsRow = Pick<Row, 'id' | 'state'> & { input: string };

const OUTLINE = 'r.id, r.previous_id as "previousId", r.characters - r.settings_characters as characters';

/** $1 the last response, $2 the account. The first row beyond a bound is read too, which shows that the bound is exceeded. */
const CHAIN = `
with recursive chain as (
  select ${OUTLINE}, 1 as depth, r.characters - r.settings_characters as total
  from api_response r where r.id = $1 and r.user_id = $2
  union all
  select ${OUTLINE}, chain.depth + 1, chain.total + r.characters - r.settings_characters
  from chain join api_response r on r.id = chain."previousId" and r.user_id = $2
  where chain.depth <= ${API_LIMITS.previousResponses} and chain.total <= ${API_LIMITS.previousCharacters}
) select id, "previousId", characters from chain order by depth desc`;

/**
 * The texts of a long response in pieces, each a row of its own: the rows are decoded one by one, as they arrive.
 * `offset 0` makes Postgres read the text once. $1 response, $2 account.
 */
const piecesOf = (column: 'input' | 'state'): string => `
  select substr(whole.text, at, ${TURN_CHARACTERS}) as piece
  from (select ${column} || '' as text from api_response where id = $1 and user_id = $2 offset 0) whole,
    generate_series(1, length(whole.text), ${TURN_CHARACTERS}) at
  order by at`;

/** The newest within both bounds stay, and the very newest always. */
const trimResponses = statement<{ userId: number; responses: number; characters: number }>(`
delete from api_response where user_id = :userId and id in (
  select id from (
    select id, row_number() over newest as position, sum(characters) over newest as total
    from api_response where user_id = :userId
    window newest as (order by created_at desc, id desc)
  ) ranked
  where position > :responses or (total > :characters and position > 1)
)`);

const insertResponse = statement<
  Omit<ApiResponseEntity, 'state' | 'createdAt'> & { created: number }
>(`insert into api_response (id, user_id, previous_id, settings, input, settings_characters, characters, created_at)
  values (:id, :userId, :previousId, :settings, :input, :settingsCharacters, :characters, to_timestamp(:created))`);

const finishResponse = statement<{ id: string; state: string; characters: number }>(`
  update api_response set state = :state, characters = characters + :characters where id = :id and state is null`);

/** Stored responses in Postgres, each for its own account alone. */
@Injectable()
export class ResponseStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    texts: TextQuota,
  ) {
    // `trim` deletes what exceeds this at the next check.
    texts.add(
      `select least(coalesce(sum(characters), 0), ${API_LIMITS.storedCharacters}) from api_response where user_id = $2::int`,
    );
  }

  async insert(
    userId: number,
    { id, settings, input, created }: Omit<StoredResponse & ResponseTexts, 'state'>,
    previousId: string | null,
  ): Promise<void> {
    const json = JSON.stringify(settings);
    const { length } = json;
    let characters = 0;
    const pieces: string[] = [];
    for await (const piece of inSlices(jsonPieces(input))) {
      characters += piece.length;
      if (characters <= API_LIMITS.previousCharacters) pieces.push(piece);
    }
    // No conversation can continue a longer one, so its input is not kept.
    const kept = characters > API_LIMITS.previousCharacters ? '[]' : pieces.join('');
    await this.dataSource.query(
      ...insertResponse({
        id,
        userId,
        previousId,
        settings: json,
        input: kept,
        settingsCharacters: length,
        characters: length + characters,
        created,
      }),
    );
  }

  /** Stores the end of a response. The first end wins. */
  async finish(id: string, state: ResponseState): Promise<void> {
    const json = JSON.stringify(state);
    await this.dataSource.query(...finishResponse({ id, state: json, characters: json.length }));
  }

  async find(userId: number, id: string): Promise<StoredResponse | null> {
    const rows = await this.dataSource.query<Row[]>(
      `select id, settings, state, extract(epoch from created_at)::int as created
       from api_response where id = $1 and user_id = $2`,
      [id, userId],
    );
    return rows[0] === undefined ? null : toStored(rows[0]);
  }

  /** The conversation that ends with a response, the earliest first, or its end when it exceeds a bound. */
  chain(userId: number, id: string): Promise<ResponseOutline[]> {
    return this.dataSource.query<ResponseOutline[]>(CHAIN, [id, userId]);
  }

  /** @returns whether the account had this response */
  async delete(userId: number, id: string): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      `delete from api_response where id = $1 and user_id = $2`,
      [id, userId],
    );
    return count > 0;
  }

  /** All responses of an account, the earliest first. */
  outlines(userId: number): Promise<ResponseOutline[]> {
    return this.dataSource.query<ResponseOutline[]>(
      `select ${OUTLINE} from api_response r where r.user_id = $1 order by r.created_at, r.id`,
      [userId],
    );
  }

  /** Some responses of an account, the earliest first. Unknown ids are left out. */
  outlinesOf(userId: number, ids: readonly string[]): Promise<ResponseOutline[]> {
    return this.dataSource.query<ResponseOutline[]>(
      `select ${OUTLINE} from api_response r where r.id = any($2::uuid[]) and r.user_id = $1 order by r.created_at, r.id`,
      [userId, ids],
    );
  }

  /**
   * The texts of responses in the given order, read slice by slice, so that no turn of the event loop handles much more
   * than `TURN_CHARACTERS`. A response that was deleted meanwhile is left out.
   */
  async *texts(userId: number, outlines: readonly ResponseOutline[]): AsyncGenerator<ResponseTexts> {
    for (const slice of slicesOf(outlines)) {
      for (const { id, input, state } of await this.slice(userId, slice))
        yield { id, input: JSON.parse(input) as ChatCompletionMessage[], state: stateIn(state) };
      // The caller's work on all texts begins in another turn than the one that parsed the last ones.
      await setImmediate();
    }
  }

  private async slice(userId: number, outlines: readonly ResponseOutline[]): Promise<TextsRow[]> {
    const [first] = outlines;
    if (first !== undefined && first.characters > TURN_CHARACTERS) return this.longTexts(userId, first.id);
    return this.dataSource.query<TextsRow[]>(
      `select id, input, state from api_response where id = any($2::uuid[]) and user_id = $1
       order by array_position($2::uuid[], id)`,
      [userId, outlines.map(({ id }) => id)],
    );
  }

  private async longTexts(userId: number, id: string): Promise<TextsRow[]> {
    const read = async (column: 'input' | 'state'): Promise<string> => {
      const rows = await this.dataSource.query<{ piece: string }[]>(piecesOf(column), [id, userId]);
      return rows.map(({ piece }) => piece).join('');
    };
    const [input, state] = [await read('input'), await read('state')];
    return input === '' ? [] : [{ id, input, state: state || null }];
  }

  /** Deletes the oldest responses of an account above a number or a sum of characters. */
  async trim(userId: number, responses: number, characters: number): Promise<void> {
    await this.dataSource.query(...trimResponses({ userId, responses, characters }));
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

const toStored = ({ settings, state, ...row }: Row): StoredResponse => ({
  ...row,
  settings: JSON.parse(settings) as ResponseSettings,
  state: stateIn(state),
});

const stateIn = (state: string | null): ResponseState | null =>
  state === null ? null : (JSON.parse(state) as ResponseState);

/** Responses in slices of `TURN_CHARACTERS`. A longer one is a slice of its own. */
function slicesOf(outlines: readonly ResponseOutline[]): ResponseOutline[][] {
  const slices: ResponseOutline[][] = [];
  let left = 0;
  for (const outline of outlines) {
    left -= outline.characters;
    if (left >= 0) slices.at(-1)!.push(outline);
    else {
      slices.push([outline]);
      left = TURN_CHARACTERS - outline.characters;
    }
  }
  return slices;
}
