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

const DELETE_OLD = `delete from alert where created_at < now() - interval '30 days'`;

/** Alerts of failing connections that have no alert of the recovery. */
const STILL_FAILING = `select occasion from alert failing where kind = 'connection_failing' and not exists (
  select from alert recovered where recovered.occasion = replace(failing.occasion, 'connection_failing', 'connection_recovered'))`;

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
    await this.dataSource.query(DELETE_OLD);
    if (!this.alerts.isWanted) return;
    const looks = [this.lookAtBudget(), this.lookAtConnections(), this.lookAtRegistrations(), this.lookAtTools()];
    for (const result of await Promise.allSettled(looks))
      if (result.status === 'rejected')
        this.logger.warn({ err: result.reason as Error }, 'watch for alerts failed in part');
  }

  /** A limit that is changed, and each period, is told again. */
  private async lookAtBudget(): Promise<void> {
    const budget = await this.budgets.ofInstallation(this.settings.get());
    if (budget === null) return;
    const { limitUsd, spentUsd, remainingUsd, resetsAt } = budget;
    const details = { limitUsd, spentUsd };
    const occasion = `${limitUsd}:${resetsAt ?? 'ever'}`;
    if (Number(spentUsd) >= NEAR * Number(limitUsd))
      await this.alerts.raise('budget_near', `budget_near:${occasion}`, details);
    if (Number(remainingUsd) === 0) await this.alerts.raise('budget_spent', `budget_spent:${occasion}`, details);
  }

  private async lookAtConnections(): Promise<void> {
    const failing = new Map((await this.connections.failing()).map((row) => [occasionOf(row), row]));
    for (const [occasion, { id, name, failingSince }] of failing) {
      if (Date.now() - failingSince.getTime() < FAILING_MS) continue;
      const details = { connectionId: id, connection: name, since: failingSince.toISOString() };
      await this.alerts.raise('connection_failing', `connection_failing:${occasion}`, details);
    }
    const told = await this.dataSource.query<{ occasion: string }[]>(STILL_FAILING);
    for (const { occasion } of told) {
      const [, id = '', since = ''] = /^connection_failing:(\d+):(.*)$/.exec(occasion) ?? [];
      const name = failing.has(`${id}:${since}`) ? undefined : this.connections.nameOf(Number(id));
      if (name === undefined) continue;
      const details = { connectionId: Number(id), connection: name };
      await this.alerts.raise('connection_recovered', `connection_recovered:${id}:${since}`, details);
    }
  }

  private async lookAtRegistrations(): Promise<void> {
    const { count, newestId } = await this.users.waitingForApproval();
    // An approval lets an older account be the newest one: its own alert was before.
    if (count > 0) await this.alerts.raise('registrations_waiting', `registrations_waiting:${newestId}`, { count });
  }

  private async lookAtTools(): Promise<void> {
    for (const { id, name, tools, mark } of await this.toolServers.changed())
      await this.alerts.raise('tools_changed', `tools_changed:${id}:${mark}`, { serverId: id, server: name, tools });
  }
}

const occasionOf = ({ id, failingSince }: { id: number; failingSince: Date }) => `${id}:${failingSince.toISOString()}`;
