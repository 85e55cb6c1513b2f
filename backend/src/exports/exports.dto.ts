import type { StartExportRequest } from '@tanya/contract';
import { MayBeAbsent } from '../platform/http/dto.decorators.js';
import { IsKnownPassword } from '../users/account-fields.js';

export class StartExportDto implements StartExportRequest {
  @MayBeAbsent()
  @IsKnownPassword()
  password?: string;
}
