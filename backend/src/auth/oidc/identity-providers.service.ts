import {
  type CreateIdentityProviderRequest,
  DEFAULT_SCOPES,
  IDENTITY_PROVIDER_FAULTS,
  IDENTITY_PROVIDER_LIMITS,
  type IdentityProvider,
  type IdentityProviderTestResult,
  type SignInProvider,
  type UpdateIdentityProviderRequest,
} from '@tanya/contract';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { endProvidedGroups } from '../../access/group-sql.js';
import { changeOfRow, recordChange } from '../../audit/audit-log.js';
import { ENV, type Env } from '../../config/env.js';
import { isIssuer } from '../../config/issuer.js';
import { type SharedTable, SharedTables } from '../../platform/bus/shared-tables.js';
import { statement } from '../../platform/database/named-parameters.js';
import { nextId } from '../../platform/database/next-id.js';
import { AppError, refuseField } from '../../platform/errors/app-error.js';
import { isForbiddenAddress } from '../../platform/net/address-ranges.js';
import { linkTo } from '../../platform/net/origin.js';
import { readBack } from '../../platform/resilience/storage-retries.js';
import { type Cell, SecretBox } from '../../platform/secrets/secret-box.js';
import { IdentityProviderEntity } from './identity-provider.entity.js';
import { discover, type ProviderAccess, providerFailure } from './provider-client.js';
import { ProviderRights } from './provider-rights.js';
import { UserIdentityEntity } from './user-identity.entity.js';

/** A provider with which people can sign in. */
export type ActiveProvider = Omit<IdentityProviderEntity, 'clientSecretSealed'> & ProviderAccess;

/** The row of the provider of the environment has no secret of its own. */
const saveEnvironment = statement<{ label: string; issuer: string; clientId: string; scopes: string }>(`
with left_behind as (
  update user_identity i set provider_id = null from identity_provider p
  where p.is_environment and p.issuer <> :issuer and i.provider_id = p.id
)
insert into identity_provider (label, issuer, client_id, scopes, provision, is_environment)
values (:label, :issuer, :clientId, :scopes, 'approval', true)
on conflict (is_environment) where is_environment
do update set label = excluded.label, issuer = excluded.issuer, client_id = excluded.client_id`);

/** The providers of the settings and the one of the environment. */
@Injectable()
export class IdentityProviders implements OnModuleInit {
  private readonly cache: SharedTable<IdentityProviderEntity[]>;

  constructor(
    @Inject(ENV) private readonly env: Env,
    @InjectRepository(IdentityProviderEntity) private readonly rows: Repository<IdentityProviderEntity>,
    private readonly secrets: SecretBox,
    private readonly rights: ProviderRights,
    tables: SharedTables,
  ) {
    this.cache = tables.share([{ table: 'identity_provider' }], () => this.read());
  }

  async onModuleInit(): Promise<void> {
    if (this.env.oidc !== null) {
      const { label, issuer, clientId } = this.env.oidc;
      await this.rows.query(...saveEnvironment({ label, issuer, clientId, scopes: DEFAULT_SCOPES }));
    }
    await this.cache.load();
  }

  /** For the login form. */
  offered(): SignInProvider[] {
    return this.active().map(({ id, label }) => ({ id, label }));
  }

  /** All whose secret can be read. */
  active(): ActiveProvider[] {
    return this.cache.value.flatMap((row) => {
      const clientSecret = this.secretOf(row);
      return clientSecret === null ? [] : [{ ...row, clientSecret }];
    });
  }

  /** @throws AppError `not_found` */
  require(id: number): ActiveProvider {
    const provider = this.active().find((each) => each.id === id);
    if (provider === undefined) throw new AppError('not_found');
    return provider;
  }

  async list(): Promise<IdentityProvider[]> {
    return (await this.read()).map((row) => this.view(row));
  }

  /** @throws AppError `invalid`, `conflict` for too many providers */
  async create({ clientSecret, ...fields }: CreateIdentityProviderRequest): Promise<IdentityProvider> {
    const row = this.rows.create({
      groupClaim: null,
      adminGroup: null,
      premiumGroup: null,
      trustsSecondFactor: false,
      secondFactorValues: null,
    });
    Object.assign(row, { ...fields, scopes: scopesOf(fields.scopes), issuer: issuerOf(fields.issuer) });
    row.isEnvironment = false;
    await this.change(async (manager) => {
      await manager.query('lock table identity_provider in share row exclusive mode');
      const { providers: max } = IDENTITY_PROVIDER_LIMITS;
      if ((await manager.countBy(IdentityProviderEntity, { isEnvironment: false })) >= max)
        throw new AppError('conflict', { reason: 'identity_providers', params: { max } });
      // The secret is sealed for its row.
      row.id = await nextId(manager, 'identity_provider');
      row.clientSecretSealed = this.secrets.seal(clientSecret, cellOf(row.id));
      await manager.insert(IdentityProviderEntity, row);
      await recordChange(manager, changeOfRow('identity_provider.create', null, row, audited, 'label'));
    });
    return this.one(row.id);
  }

  /**
   * @throws AppError `not_found`, `invalid`, also for a new issuer without the secret, which an admin, who cannot read it,
   *   could otherwise send to another server; `conflict` for the provider of the environment
   */
  async update(id: number, { clientSecret, ...changes }: UpdateIdentityProviderRequest): Promise<IdentityProvider> {
    await this.change(async (manager) => {
      const row = await this.lockEditable(manager, id);
      const before = { ...row };
      Object.assign(row, changes);
      if (changes.scopes !== undefined) row.scopes = scopesOf(changes.scopes);
      if (changes.issuer !== undefined) row.issuer = issuerOf(changes.issuer);
      if (row.issuer !== before.issuer && clientSecret === undefined)
        throw refuseField('clientSecret', 'client_secret');
      if (clientSecret !== undefined) row.clientSecretSealed = this.secrets.seal(clientSecret, cellOf(id));
      if (row.issuer !== before.issuer)
        await manager.update(UserIdentityEntity, { providerId: id }, { providerId: null });
      await manager.save(row);
      await recordChange(manager, changeOfRow('identity_provider.update', before, row, audited, 'label'));
    });
    return this.one(id);
  }

  /**
   * Deletes a provider and takes what it gave: groups, and rights except those of an admin who is needed. After a failure it
   * stays listed without its secret, and can be deleted again.
   * @throws AppError `not_found`, `conflict` for the provider of the environment
   */
  async delete(id: number): Promise<void> {
    // Without its secret nobody signs in there, and gets rights that were just taken from others.
    const row = await this.change(async (manager) => {
      const row = await this.lockEditable(manager, id);
      await manager.update(IdentityProviderEntity, { id }, { clientSecretSealed: null });
      return row;
    });
    await this.rights.takeAllOf(row);
    await this.change(async (manager) => {
      // Before its logins, as the removal of an account goes: two that wait for each other would fail.
      await endProvidedGroups(manager, id);
      const { affected } = await manager.delete(IdentityProviderEntity, { id });
      if (affected) await recordChange(manager, changeOfRow('identity_provider.delete', row, null, audited, 'label'));
    });
    await this.rights.announceLoss();
  }

  /** Reads the description of a provider before it is saved. */
  async test(issuer: string): Promise<IdentityProviderTestResult> {
    try {
      const access = { issuer: issuerOf(issuer), clientId: 'test', clientSecret: 'test' };
      const metadata = (await discover(access)).serverMetadata();
      const endsSessions = metadata.end_session_endpoint !== undefined;
      return { ok: true, message: 'The provider can be used.', issuer: metadata.issuer, endsSessions };
    } catch (error) {
      if (error instanceof AppError) throw error;
      const { fault } = providerFailure(error);
      return { ok: false, fault, message: IDENTITY_PROVIDER_FAULTS[fault] };
    }
  }

  private async lockEditable(manager: EntityManager, id: number): Promise<IdentityProviderEntity> {
    const row = await manager.findOne(IdentityProviderEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (row === null) throw new AppError('not_found');
    if (row.isEnvironment) throw fromEnvironment();
    return row;
  }

  private async change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const changed = await this.rows.manager.transaction(work);
    await this.cache.announce();
    return changed;
  }

  private async one(id: number): Promise<IdentityProvider> {
    const row = await readBack(() => this.rows.findOneBy({ id }));
    if (row === null) throw new AppError('not_found');
    return this.view(row);
  }

  /** That of the environment first. Without the variables its row is not listed. */
  private async read(): Promise<IdentityProviderEntity[]> {
    const rows = await this.rows.find({ order: { isEnvironment: 'DESC', id: 'ASC' } });
    return rows.filter(({ isEnvironment }) => !isEnvironment || this.env.oidc !== null);
  }

  private secretOf({ id, isEnvironment, clientSecretSealed }: IdentityProviderEntity): string | null {
    if (isEnvironment) return this.env.oidc!.clientSecret;
    return clientSecretSealed === null ? null : this.secrets.open(clientSecretSealed, cellOf(id));
  }

  private view(row: IdentityProviderEntity): IdentityProvider {
    const { isEnvironment, createdAt, clientSecretSealed, ...fields } = row;
    const hasClientSecret = isEnvironment || clientSecretSealed !== null;
    return {
      ...fields,
      hasClientSecret,
      isSecretUnreadable: hasClientSecret && this.secretOf(row) === null,
      isFromEnvironment: isEnvironment,
      callbackUrl: this.addressOf(row.id, 'callback'),
      backchannelLogoutUrl: this.addressOf(row.id, 'backchannel-logout'),
      createdAt: createdAt.toISOString(),
    };
  }

  private addressOf(id: number, call: string): string {
    return linkTo(`/api/auth/oidc/${id}/${call}`, this.env);
  }
}

const cellOf = (id: number): Cell => ({ table: 'identity_provider', column: 'client_secret_sealed', row: id });

const fromEnvironment = (): AppError => new AppError('conflict', { reason: 'identity_provider_environment' });

/** Without `openid` there is no ID token. */
function scopesOf(given: string | null | undefined): string {
  const scopes = (given ?? DEFAULT_SCOPES).split(/\s+/).filter(Boolean);
  return [...new Set(['openid', ...scopes])].join(' ');
}

/** The issuer is compared with what the provider says, so it is kept as it was entered. @throws AppError `invalid` */
function issuerOf(given: string): string {
  const text = given.trim();
  if (!isIssuer(text) || isForbiddenAddress(new URL(text).hostname)) throw refuseField('issuer', 'issuer');
  return text;
}

function audited(row: IdentityProviderEntity): object {
  const { id: _id, createdAt: _createdAt, isEnvironment: _isEnvironment, ...fields } = row;
  return fields;
}
