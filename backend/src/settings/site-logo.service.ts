import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { recordChange } from '../audit/audit-log.js';
import { type SharedTable, SharedTables } from '../platform/bus/shared-tables.js';
import { SiteLogoEntity } from './site-logo.entity.js';

/** Characters of a version: enough to tell a handful of logos apart. */
const VERSION_LENGTH = 16;

/** The logo of the installation, in memory: every page asks for it. */
@Injectable()
export class SiteLogoService implements OnModuleInit {
  private readonly cache: SharedTable<SiteLogoEntity | null>;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    tables: SharedTables,
  ) {
    const read = () => dataSource.manager.findOneBy(SiteLogoEntity, { id: 1 });
    this.cache = tables.share([{ table: 'site_logo' }], read);
  }

  async onModuleInit(): Promise<void> {
    await this.cache.load();
  }

  /** Calls `listener` on every node after each change of the logo. */
  onChanged(listener: () => void): void {
    this.cache.onChanged(listener);
  }

  /** null for the product's own. */
  get(): SiteLogoEntity | null {
    return this.cache.value;
  }

  /** The address of the logo, another one after each change. */
  get address(): string | null {
    const { version } = this.cache.value ?? {};
    return version === undefined ? null : `/api/logo?v=${version}`;
  }

  /** @param type media type of the encoded image */
  store(bytes: Buffer, type: string): Promise<void> {
    const version = createHash('sha256').update(bytes).digest('hex').slice(0, VERSION_LENGTH);
    return this.change(version, (manager) => manager.upsert(SiteLogoEntity, { id: 1, bytes, type, version }, ['id']));
  }

  remove(): Promise<void> {
    return this.change(null, (manager) => manager.delete(SiteLogoEntity, { id: 1 }));
  }

  private async change(version: string | null, write: (manager: EntityManager) => Promise<unknown>): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.query('lock table site_logo in share row exclusive mode');
      const row = await manager.findOne(SiteLogoEntity, { where: { id: 1 }, select: { version: true } });
      await write(manager);
      await recordChange(manager, {
        action: 'settings.update',
        target: { id: 1, name: null },
        before: { logo: row?.version ?? null },
        after: { logo: version },
      });
    });
    await this.cache.announce();
  }
}
