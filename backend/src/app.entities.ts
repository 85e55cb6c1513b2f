import { AlertEntity } from './alerts/alert.entity.js';
import { ApiKeyEntity } from './api-keys/api-key.entity.js';
import { AuditEntryEntity } from './audit/audit-entry.entity.js';
import { GenerationChunkEntity } from './chat/generation/store/generation-chunk.entity.js';
import { GenerationEntity } from './chat/generation/store/generation.entity.js';
import { MessageFeedbackEntity } from './chat/messages/message-feedback.entity.js';
import { ToolCallEntity } from './chat/generation/store/tool-call.entity.js';
import { MessageEntity } from './chat/messages/message.entity.js';
import { NodeEntity } from './chat/nodes/node.entity.js';
import { ThreadSummaryEntity } from './chat/messages/thread-summary.entity.js';
import { ThreadEntity } from './chat/messages/thread.entity.js';
import { ApiResponseEntity } from './public-api/responses/api-response.entity.js';
import { ProviderConnectionEntity } from './connections/provider-connection.entity.js';
import { EmailConfirmationEntity } from './auth/email-confirmation/email-confirmation.entity.js';
import { InvitationEntity } from './auth/invitations/invitation.entity.js';
import { PasskeyChallengeEntity } from './auth/passkeys/passkey-challenge.entity.js';
import { PasskeyEntity } from './auth/passkeys/passkey.entity.js';
import { IdentityProviderEntity } from './auth/oidc/identity-provider.entity.js';
import { IdentitySessionEntity, UsedTokenEntity } from './auth/oidc/sign-in.entities.js';
import { ProviderGrantEntity, UserIdentityEntity } from './auth/oidc/user-identity.entity.js';
import { PasswordResetEntity } from './auth/password-reset/password-reset.entity.js';
import { PasswordResetRequestEntity } from './auth/password-reset/password-reset-request.entity.js';
import { RecoveryCodeEntity } from './auth/totp/recovery-code.entity.js';
import { TotpEntity } from './auth/totp/totp.entity.js';
import { FailureEntity } from './failures/failure.entity.js';
import { DataExportEntity } from './exports/data-export.entity.js';
import { FileEntity } from './files/file.entity.js';
import { FileSectionEntity } from './files/file-section.entity.js';
import { ImportEntity } from './imports/import.entity.js';
import { ImportItemEntity } from './imports/import-item.entity.js';
import { ImportedThreadEntity } from './imports/imported-thread.entity.js';
import { GroupMemberEntity } from './access/group-member.entity.js';
import { MemberGroupEntity } from './access/member-group.entity.js';
import { ModelEntity } from './models/model.entity.js';
import { ModelPriceEntity } from './models/model-price.entity.js';
import { UserPreferenceEntity } from './preferences/user-preference.entity.js';
import { RateLimitEntity } from './platform/rate-limits/rate-limit.entity.js';
import { SessionEntity } from './platform/session/session.entity.js';
import { BudgetAccountEntity } from './budgets/budget-account.entity.js';
import { QuotaAccountEntity } from './quota/quota-account.entity.js';
import { UsageRecordEntity } from './quota/usage-record.entity.js';
import { UsageRollupEntity } from './quota/usage/usage-rollup.entity.js';
import { UsageUnrolledEntity } from './quota/usage/usage-unrolled.entity.js';
import { SettingEntity } from './settings/setting.entity.js';
import { SiteLogoEntity } from './settings/site-logo.entity.js';
import { ShareEntity } from './shares/share.entity.js';
import { ProjectChunkEntity } from './projects/project-chunk.entity.js';
import { ProjectFileEntity } from './projects/project-file.entity.js';
import { EmbeddingSetEntity } from './projects/embedding/embedding-set.entity.js';
import { ProjectEmbeddingEntity } from './projects/embedding/project-embedding.entity.js';
import { ProjectVectorBitsEntity, ProjectVectorEntity } from './projects/embedding/project-vector.entity.js';
import { ProjectEntity } from './projects/project.entity.js';
import { ProjectMemberEntity } from './projects/project-member.entity.js';
import { RetentionDayEntity } from './retention/retention-day.entity.js';
import { RetentionEntity } from './retention/retention.entity.js';
import { ServerToolEntity } from './tools/servers/server-tool.entity.js';
import { ToolServerEntity } from './tools/servers/tool-server.entity.js';
import { SearchHealthEntity } from './tools/search/search-health.entity.js';
import { UserEntity } from './users/user.entity.js';

/** Entities of every table, for the server and for the migration check. */
export const entities = [
  AlertEntity,
  ApiKeyEntity,
  AuditEntryEntity,
  ApiResponseEntity,
  BudgetAccountEntity,
  DataExportEntity,
  FailureEntity,
  FileEntity,
  FileSectionEntity,
  GenerationChunkEntity,
  GenerationEntity,
  GroupMemberEntity,
  IdentityProviderEntity,
  IdentitySessionEntity,
  ImportEntity,
  ImportItemEntity,
  ImportedThreadEntity,
  MemberGroupEntity,
  MessageEntity,
  MessageFeedbackEntity,
  ModelEntity,
  ModelPriceEntity,
  NodeEntity,
  EmbeddingSetEntity,
  ProjectChunkEntity,
  ProjectEmbeddingEntity,
  ProjectEntity,
  ProjectFileEntity,
  ProjectMemberEntity,
  ProjectVectorBitsEntity,
  ProjectVectorEntity,
  ProviderConnectionEntity,
  ProviderGrantEntity,
  EmailConfirmationEntity,
  InvitationEntity,
  PasskeyChallengeEntity,
  PasskeyEntity,
  PasswordResetEntity,
  PasswordResetRequestEntity,
  QuotaAccountEntity,
  RateLimitEntity,
  RecoveryCodeEntity,
  SearchHealthEntity,
  ServerToolEntity,
  SessionEntity,
  SettingEntity,
  RetentionDayEntity,
  RetentionEntity,
  ShareEntity,
  SiteLogoEntity,
  ThreadEntity,
  ThreadSummaryEntity,
  ToolCallEntity,
  ToolServerEntity,
  TotpEntity,
  UsageRecordEntity,
  UsageRollupEntity,
  UsageUnrolledEntity,
  UsedTokenEntity,
  UserEntity,
  UserIdentityEntity,
  UserPreferenceEntity,
];
