import type { ConnectionTestResult } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { invalidField } from '../platform/errors/app-error.js';
import { isForbiddenAddress } from '../platform/net/address-ranges.js';
import { codeOf } from '../providers/provider-cause.js';
import { isSameAccess } from '../providers/provider-kinds.js';
import { type ProviderAccess, ProviderRegistry } from '../providers/registry.js';
import { ACCESS_FIELDS, ConnectionAccess, needsBaseUrl } from './connection-access.js';
import { ConnectionHealth } from './connection-health.js';
import type { TestConnectionDto } from './connections.dto.js';
import { ConnectionsService, type SavedConnection } from './connections.service.js';
import { accessChange, parseBaseUrl } from './provider-access.js';
import type { StoredFailure } from './provider-connection.entity.js';

const NOTHING_STORED = { apiKey: null, baseUrl: null, hasKey: false };

@Injectable()
export class ConnectionTester {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly access: ConnectionAccess,
    private readonly registry: ProviderRegistry,
    private readonly health: ConnectionHealth,
  ) {}

  /**
   * A failure of the server is in the result. The outcome of a saved connection, tested as it is, is recorded.
   * @throws AppError `not_found` for an unknown id, `invalid` for input that is not valid
   */
  async test(request: TestConnectionDto): Promise<ConnectionTestResult> {
    const saved = request.id === undefined ? null : await this.connections.saved(request.id);
    const kind = saved?.kind ?? request.kind;
    if (kind === undefined) throw invalidField('kind', 'Please choose the kind of the connection.');
    const access = this.accessOf(request, saved);
    if (kind === 'compatible' && access.baseUrl === null) throw needsBaseUrl();
    const result = await this.registry.test(kind, access);
    if (saved !== null && isSameAccess(access, saved.inUse)) {
      await this.health.write(saved.id, result.ok ? null : result.fault, failureOf(result));
    }
    return result;
  }

  /** The access that would be in effect after a save. @throws AppError `invalid` */
  private accessOf(request: TestConnectionDto, saved: SavedConnection | null): ProviderAccess {
    const stored = saved?.stored ?? NOTHING_STORED;
    const { apiKey, baseUrl } = accessChange(ACCESS_FIELDS, request, stored, tested);
    const access = { baseUrl, apiKey: apiKey === undefined ? stored.apiKey : apiKey };
    return saved === null ? access : this.access.inUse(saved, access);
  }
}

/** A forbidden address passes: it is a result of the test, which contacts no such address. */
function tested(field: string, given: string): string | null {
  const text = given.trim();
  const isForbidden = URL.canParse(text) && isForbiddenAddress(new URL(text).hostname);
  return isForbidden ? text : parseBaseUrl(field, text);
}

function failureOf(result: ConnectionTestResult): StoredFailure | null {
  return result.ok ? null : { code: codeOf(result.fault), message: result.message };
}
