import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository, type SelectQueryBuilder } from 'typeorm';
import { UserEntity } from './user.entity.js';
import { usernameKey } from './username.js';

/**
 * Whether the address that was given is the account's. Postgres compares in a wider way, with İ as i, and limits count by the
 * key: each such spelling would have a limit of its own.
 */
const isAddressOf = ({ email }: UserEntity, given: string): boolean => usernameKey(email!) === usernameKey(given);

const SELECT_WAITING = `select count(*)::int as count, coalesce(max(id), 0)::int as "newestId"
from "user" where not is_approved`;

/** Finds accounts by what people type, and their names by their ids. */
@Injectable()
export class UserLookup {
  constructor(@InjectRepository(UserEntity) private readonly users: Repository<UserEntity>) {}

  findByUsername(username: string): Promise<UserEntity | null> {
    return this.users.findOneBy({ usernameKey: usernameKey(username) });
  }

  /**
   * The account that a person means at login: the one with this username, else the only one with this e-mail address.
   * Both are always looked for, so that the time does not tell which of them exist. A service account does not count.
   */
  async findForLogin(name: string): Promise<UserEntity | null> {
    const [named, addressed] = await Promise.all([this.findByUsername(name), this.withEmail(name).limit(2).getMany()]);
    const [user] = addressed;
    const byName = named?.isService ? null : named;
    return byName ?? (addressed.length === 1 && isAddressOf(user!, name) ? user! : null);
  }

  /** The id of the person with this exact username or id who can sign in; null without one. */
  async findPerson({ username, userId }: { username?: string; userId?: number }): Promise<number | null> {
    const named = username === undefined ? { id: userId } : { usernameKey: usernameKey(username) };
    const where = { ...named, isService: false, isApproved: true, isSuspended: false };
    const user = await this.users.findOne({ select: { id: true }, where });
    return user?.id ?? null;
  }

  /** The usernames of accounts by their ids; deleted accounts have none. */
  async usernamesOf(ids: readonly number[]): Promise<Map<number, string>> {
    return new Map([...(await this.namesOf(ids))].map(([id, { username }]) => [id, username]));
  }

  /** The usernames, and which of them are service accounts. */
  async namesOf(ids: readonly number[]): Promise<Map<number, Pick<UserEntity, 'username' | 'isService'>>> {
    const select = { id: true, username: true, isService: true };
    const users = await this.users.find({ select, where: { id: In([...ids]) } });
    return new Map(users.map((user) => [user.id, user]));
  }

  /**
   * Accounts with this e-mail address in any case: the `limit` oldest and the `limit` most used ones, each once. Addresses
   * are neither unique nor verified: neither accounts that existed before another one nor those that are used more can
   * take its place alone.
   */
  async findByEmail(email: string, limit: number): Promise<UserEntity[]> {
    const matching = () => this.withEmail(email).take(limit);
    const oldest = await matching().orderBy('user.id', 'ASC').getMany();
    const mostUsed = await matching()
      .orderBy('user.isAdmin', 'DESC')
      .addOrderBy('user.isPremium', 'DESC')
      .addOrderBy('user.messageCount', 'DESC')
      .addOrderBy('user.lastSeenAt', 'DESC', 'NULLS LAST')
      .addOrderBy('user.id', 'ASC')
      .getMany();
    const found = [...new Map([...oldest, ...mostUsed].map((user) => [user.id, user])).values()];
    return found.filter((user) => isAddressOf(user, email));
  }

  /** Whether an admin has this e-mail address in any case. */
  async hasAdminWithEmail(email: string): Promise<boolean> {
    const admins = await this.withEmail(email).andWhere('is_admin').getMany();
    return admins.some((user) => isAddressOf(user, email));
  }

  /** How many accounts wait for approval, and the newest of them; 0 without one. */
  async waitingForApproval(): Promise<{ count: number; newestId: number }> {
    const [row] = await this.users.query<{ count: number; newestId: number }[]>(SELECT_WAITING);
    return row!;
  }

  /** The people with this e-mail address in any case. */
  private withEmail(email: string): SelectQueryBuilder<UserEntity> {
    return this.users.createQueryBuilder('user').where('lower(email) = lower(:email) and not is_service', { email });
  }
}
