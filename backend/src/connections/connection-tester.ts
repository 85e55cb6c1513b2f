import type { ConnectionTestResult } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { invalidField } from '../platform/errors/app-error.js';
import { isForbiddenAddress } from '../platform/net/address-ranges.js';
import { codeOf } from '../providers/provider-cause.js';
import { type ProviderAccess, ProviderRegistry } from '../providers/registry.js';
import { keyChange, parseBaseUrl } from '../settings/provider-access.js';
import { needsBaseUrl } from './connection-access.service.js';
import { ConnectionHealth } from './connection-health.js';
import type { TestConnectionDto } from './connections.dto.js';
import { ConnectionsService, type SavedConnection } from './connections.service.js';
import type { StoredFailure } from './provider-connection.entity.js';

const NO_ACCESS: ProviderAccess = { apiKey: null, baseUrl: null };

/** Tests connections before they are saved, and saved ones with their sealed key. */
@Injectable()
export class ConnectionTester {
  constructor(
    private readonly connections: ConnectionsService,
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
    const access = accessOf(request, saved?.access ?? NO_ACCESS);
    if (kind === 'compatible' && access.baseUrl === null) throw needsBaseUrl();
    const result = await this.registry.test(kind, access);
    if (saved !== null && isSame(access, saved)) await this.health.write(saved.id, failureOf(result));
    return result;
  }
}

function accessOf(request: TestConnectionDto, saved: ProviderAccess): ProviderAccess {
  const baseUrl = request.baseUrl === undefined ? saved.baseUrl : tested(request.baseUrl);
  const key = keyChange('apiKey', request.apiKey, saved.apiKey);
  // Otherwise an admin, who cannot read the stored key, could send it to another host.
  if (key === undefined && saved.apiKey !== null && baseUrl !== saved.baseUrl) {
    throw invalidField('apiKey', 'The base URL has changed. Please enter the API key again.');
  }
  return { baseUrl, apiKey: key === undefined ? saved.apiKey : key };
}

/** A forbidden address passes: it is a result of the test, which contacts no such address. */
function tested(given: string): string | null {
  const text = given.trim();
  const isForbidden = URL.canParse(text) && isForbiddenAddress(new URL(text).hostname);
  return isForbidden ? text : parseBaseUrl('baseUrl', text);
}

const isSame = (access: ProviderAccess, saved: SavedConnection): boolean =>
  access.apiKey === saved.access.apiKey && access.baseUrl === saved.access.baseUrl;

function failureOf(result: ConnectionTestResult): StoredFailure | null {
  return result.ok ? null : { code: codeOf(result.fault), message: result.message };
}
