import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BudgetReader } from '../budgets/budget-reader.js';
import { TIMINGS, type Timings } from '../config/timings.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { BackgroundWork } from '../platform/resilience/background-work.js';
import { SettingsService } from '../settings/settings.service.js';
import { ToolServersService } from '../tools/servers/tool-servers.service.js';
import { UserLookup } from '../users/user-lookup.service.js';
import { AlertsService } from './alerts.service.js';

/** A connection that fails for this long is an alert. */
const FAILING_MS = 300_000;

const NEAR = 0.8;

/** Alerts whose occasion lasts are kept: they would be told again. $1 their occasions. */
const DELETE_OLD = `delete from alert where created_at < now() - interval '30 days' and occasion <> all($1::text[])`;

/** Alerts of failing connections that have no alert of the recovery. */
const STILL_FAILING = `select occasion from alert failing where kind = 'connection_failing' and not exists (
  select from alert recovered where recovered.occasion = replace(failing.occasion, 'connection_failing', 'connection_recovered'))`;

type Raise = AlertsService['raise'];

/**
 * Looks at the state of the installation and tells what an administrator should know. Every node looks; the occasion of an
 * alert is stored once, so a node that dies misses nothing.
 */
@Injectable()
export class AlertWatch {
  constructor(
    @Inject(TIMINGS) timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    background: BackgroundWork,
    private readonly dataSource: DataSource,
    private readonly alerts: AlertsService,
    private readonly settings: SettingsService,
    private readonly budgets: BudgetReader,
    private readonly connections: ConnectionsService,
    private readonly users: UserLookup,
    private readonly toolServers: ToolServersService,
  ) {
    background.repeat('watch for alerts', timings.alertWatch, () => this.look());
  }

  private async look(): Promise<void> {
    const lasting: string[] = [];
    const raise: Raise = async (kind, occasion, details) => {
      lasting.push(occasion);
      await this.alerts.raise(kind, occasion, details);
    };
    const looks = this.alerts.isWanted
      ? [
          this.lookAtBudget(raise),
          this.lookAtConnections(raise),
          this.lookAtRegistrations(raise),
          this.lookAtTools(raise),
        ]
      : [];
    const failed = (await Promise.allSettled(looks)).filter((result) => result.status === 'rejected');
    for (const { reason } of failed) this.logger.warn({ err: reason as Error }, 'watch for alerts failed in part');
    if (failed.length === 0) await this.dataSource.query(DELETE_OLD, [lasting]);
  }

  /** A limit that is changed, and each period, is told again. */
  private async lookAtBudget(raise: Raise): Promise<void> {
    const budget = await this.budgets.ofInstallation(this.settings.get());
    if (budget === null) return;
    const { limitUsd, spentUsd, resetsAt } = budget;
    const details = { limitUsd, spentUsd };
    const occasion = `${limitUsd}:${resetsAt ?? 'ever'}`;
    if (Number(spentUsd) >= NEAR * Number(limitUsd)) await raise('budget_near', `budget_near:${occasion}`, details);
    if (Number(spentUsd) >= Number(limitUsd)) await raise('budget_spent', `budget_spent:${occasion}`, details);
  }

  private async lookAtConnections(raise: Raise): Promise<void> {
    const failing = new Map((await this.connections.failing()).map((row) => [occasionOf(row), row]));
    for (const [occasion, { id, name, failingSince }] of failing) {
      if (Date.now() - failingSince.getTime() < FAILING_MS) continue;
      const details = { connectionId: id, connection: name, since: failingSince.toISOString() };
      await raise('connection_failing', `connection_failing:${occasion}`, details);
    }
    const told = await this.dataSource.query<{ occasion: string }[]>(STILL_FAILING);
    for (const { occasion } of told) {
      const [, id = '', since = ''] = /^connection_failing:(\d+):(.*)$/.exec(occasion) ?? [];
      const name = failing.has(`${id}:${since}`) ? undefined : this.connections.nameOf(Number(id));
      if (name === undefined) continue;
      const details = { connectionId: Number(id), connection: name };
      await raise('connection_recovered', `connection_recovered:${id}:${since}`, details);
    }
  }

  private async lookAtRegistrations(raise: Raise): Promise<void> {
    const { count, newestId } = await this.users.waitingForApproval();
    // An approval lets an older account be the newest one: its own alert was before.
    if (count > 0) await raise('registrations_waiting', `registrations_waiting:${newestId}`, { count });
  }

  private async lookAtTools(raise: Raise): Promise<void> {
    for (const { id, name, tools, mark } of await this.toolServers.changed())
      await raise('tools_changed', `tools_changed:${id}:${mark}`, { serverId: id, server: name, tools });
  }
}

const occasionOf = ({ id, failingSince }: { id: number; failingSince: Date }) => `${id}:${failingSince.toISOString()}`;
