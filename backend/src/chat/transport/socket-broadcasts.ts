import { Injectable } from '@nestjs/common';
import { groupsChanged } from '../../access/access-topics.js';
import { ConnectionsService } from '../../connections/connections.service.js';
import { ownerRoom, userOwner } from '../../identity/identity.js';
import { planChanged, profileChanged } from '../../identity/identity-topics.js';
import { ModelsService } from '../../models/models.service.js';
import { Bus } from '../../platform/bus/bus.js';
import { projectChanged } from '../../projects/project-changes.js';
import { QuotaService } from '../../quota/quota.service.js';
import { SettingsService } from '../../settings/settings.service.js';
import { SiteLogoService } from '../../settings/site-logo.service.js';
import type { ChatServer } from '../sockets/owner-sockets.js';

/** Tells pages with a socket on this node what changed elsewhere: settings, models, projects, rights and quotas. */
@Injectable()
export class SocketBroadcasts {
  constructor(
    private readonly quotas: QuotaService,
    private readonly models: ModelsService,
    private readonly connections: ConnectionsService,
    private readonly settings: SettingsService,
    private readonly logo: SiteLogoService,
    private readonly bus: Bus,
  ) {}

  watch(server: ChatServer): void {
    this.bus.subscribe(planChanged, (plan) => this.sendPlan(server, plan));
    this.bus.subscribe(groupsChanged, ({ userIds }) => this.sendGroups(server, userIds));
    this.bus.subscribe(profileChanged, ({ userId }) => {
      server.local.to(ownerRoom(userOwner(userId))).emit('settings:changed');
    });
    // A connection may end the demo, which the public settings show.
    for (const table of [this.settings, this.logo, this.connections])
      table.onChanged(() => void server.local.emit('settings:changed'));
    this.bus.subscribe(projectChanged, ({ projectId, userIds }) => {
      const rooms = userIds.map((userId) => ownerRoom(userOwner(userId)));
      // To no room would be to all.
      if (rooms.length > 0) server.local.to(rooms).emit('project:changed', { projectId });
    });
    this.models.onChanged(() => void server.local.emit('models:changed'));
  }

  /**
   * Sends the quota after a change of plan, quota or usage to the user's sockets on this node. `settings:changed` makes the
   * page read its user again: an equal quota or a changed role would not.
   */
  private async sendPlan(server: ChatServer, { userId }: { userId: number }): Promise<void> {
    const owner = userOwner(userId);
    const room = ownerRoom(owner);
    if (!server.sockets.adapter.rooms.has(room)) return;
    server.local.to(room).emit('settings:changed');
    server.local
      .to(room)
      .emit('quota:changed', await this.quotas.quotaOf({ owner, ...(await this.quotas.planOf(owner)) }));
  }

  private async sendGroups(server: ChatServer, userIds: number[] | null): Promise<void> {
    for (const userId of userIds ?? []) await this.sendPlan(server, { userId });
    if (userIds === null) server.local.emit('settings:changed');
  }
}
