import { ModelSetup1765980000000 } from './1765980000000-model-setup.js';
import { SiteLogo1765980000001 } from './1765980000001-site-logo.js';
import { UsageFilters1765980000002 } from './1765980000002-usage-filters.js';
import { TemporaryThreads1766030000000 } from './1766030000000-temporary-threads.js';
import { IdentityProviders1766061000000 } from './1766061000000-identity-providers.js';
import { Retention1766030000001 } from './1766030000001-retention.js';
import { DataExports1766030000002 } from './1766030000002-data-exports.js';
import type { QueryRunner } from 'typeorm';
import { InitialSchema1763600000000 } from './1763600000000-initial-schema.js';
import { UserSearch1763600100000 } from './1763600100000-user-search.js';
import { RateLimit1763600200000 } from './1763600200000-rate-limit.js';
import { SharedFiles1763600300000 } from './1763600300000-shared-files.js';
import { NamedConstraints1763600400000 } from './1763600400000-named-constraints.js';
import { RegistrationMode1763600500000 } from './1763600500000-registration-mode.js';
import { GenerationFunctions1763600600000 } from './1763600600000-generation-functions.js';
import { ProviderConnections1763600700000 } from './1763600700000-provider-connections.js';
import { LinksAndStarters1763600900000 } from './1763600900000-links-and-starters.js';
import { PasswordReset1763602100000 } from './1763602100000-password-reset.js';
import { Totp1763602200000 } from './1763602200000-totp.js';
import { Languages1763602317000 } from './1763602317000-languages.js';
import { Shares1763602320000 } from './1763602320000-shares.js';
import { Imports1763602320500 } from './1763602320500-imports.js';
import { ThreadOrder1763602423000 } from './1763602423000-thread-order.js';
import { MessageParts1763602521000 } from './1763602521000-message-parts.js';
import { Tools1763602522000 } from './1763602522000-tools.js';
import { Preferences1763603019000 } from './1763603019000-preferences.js';
import { UsageCosts1763604020000 } from './1763604020000-usage-costs.js';
import { People1763604121000 } from './1763604121000-people.js';
import { ToolServers1763604219000 } from './1763604219000-tool-servers.js';
import { ApiResponses1763604322000 } from './1763604322000-api-responses.js';
import { Approvals1763604390000 } from './1763604390000-approvals.js';
import { MailedAccounts1763604400000 } from './1763604400000-mailed-accounts.js';
import { Budgets1763604500000 } from './1763604500000-budgets.js';
import { PriceSources1763604550000 } from './1763604550000-price-sources.js';
import { DetachedExpiry1763604560000 } from './1763604560000-detached-expiry.js';
import { SharedMessages1763604571000 } from './1763604571000-shared-messages.js';
import { BudgetOpenings1763604572000 } from './1763604572000-budget-openings.js';
import { ModelKinds1764100000000 } from './1764100000000-model-kinds.js';
import { StoredTexts1764200000000 } from './1764200000000-stored-texts.js';
import { BoundSecrets1764300000000 } from './1764300000000-bound-secrets.js';
import { SessionAccount1764400000000 } from './1764400000000-session-account.js';
import { NodeVersions1764560000000 } from './1764560000000-node-versions.js';
import { ConnectionKeys1764600000000 } from './1764600000000-connection-keys.js';
import { ReadableKeys1764700000000 } from './1764700000000-readable-keys.js';
import { DocumentSections1764800000000 } from './1764800000000-document-sections.js';
import { LeftOutTools1765000000000 } from './1765000000000-left-out-tools.js';
import { SettingsAsValues1765100000000 } from './1765100000000-settings-as-values.js';
import { PagePictures1765300000000 } from './1765300000000-page-pictures.js';
import { WholeChunks1765400000000 } from './1765400000000-whole-chunks.js';
import { ConnectionAdaptations1765400000001 } from './1765400000001-connection-adaptations.js';
import { Alerts1765500000000 } from './1765500000000-alerts.js';
import { CallsOfTheSite1765700000000 } from './1765700000000-calls-of-the-site.js';
import { TitlesLeft1765700000001 } from './1765700000001-titles-left.js';
import { FirstModalities1765700000002 } from './1765700000002-first-modalities.js';
import { GroupsAndAccess1765800000000 } from './1765800000000-groups-and-access.js';
import { AnswersAsChoices1765910000000 } from './1765910000000-answers-as-choices.js';
import { People1765950000000 } from './1765950000000-people.js';
import { Failures1765960000000 } from './1765960000000-failures.js';
import { BudgetRefusals1765960000001 } from './1765960000001-budget-refusals.js';
import { ServiceAccounts1765970000000 } from './1765970000000-service-accounts.js';
import { EmailConfirmations1766061900000 } from './1766061900000-email-confirmations.js';
import { ImportedRatings1766062300000 } from './1766062300000-imported-ratings.js';
import { ProjectVectors1766062400000 } from './1766062400000-project-vectors.js';
import { SecondFactorValues1766330000000 } from './1766330000000-second-factor-values.js';
import { ProjectWords1766350000000 } from './1766350000000-project-words.js';
import { KeyLimits1765990000000 } from './1765990000000-key-limits.js';
import { LoginEvents1766020000000 } from './1766020000000-login-events.js';
import { Passkeys1766020000001 } from './1766020000001-passkeys.js';
import { Fallbacks1766040000000 } from './1766040000000-fallbacks.js';
import { ThreadSummaries1766040000001 } from './1766040000001-thread-summaries.js';
import { Projects1766060000000 } from './1766060000000-projects.js';
import { ProjectFiles1766060000001 } from './1766060000001-project-files.js';

/** Migrations in order of execution. Each is generated, then reviewed, and never changes once released. */
/** A change of the schema, in a transaction of its own. There is no way back: a backup has the state before it. */
type Migration = new () => { name: string; up(runner: QueryRunner): Promise<void> };

export const migrations: Migration[] = [
  InitialSchema1763600000000,
  UserSearch1763600100000,
  RateLimit1763600200000,
  SharedFiles1763600300000,
  NamedConstraints1763600400000,
  RegistrationMode1763600500000,
  GenerationFunctions1763600600000,
  ProviderConnections1763600700000,
  LinksAndStarters1763600900000,
  PasswordReset1763602100000,
  Totp1763602200000,
  Languages1763602317000,
  Shares1763602320000,
  Imports1763602320500,
  ThreadOrder1763602423000,
  MessageParts1763602521000,
  Tools1763602522000,
  Preferences1763603019000,
  UsageCosts1763604020000,
  People1763604121000,
  ToolServers1763604219000,
  ApiResponses1763604322000,
  Approvals1763604390000,
  MailedAccounts1763604400000,
  Budgets1763604500000,
  PriceSources1763604550000,
  DetachedExpiry1763604560000,
  SharedMessages1763604571000,
  BudgetOpenings1763604572000,
  ModelKinds1764100000000,
  StoredTexts1764200000000,
  BoundSecrets1764300000000,
  SessionAccount1764400000000,
  NodeVersions1764560000000,
  ConnectionKeys1764600000000,
  ReadableKeys1764700000000,
  DocumentSections1764800000000,
  LeftOutTools1765000000000,
  SettingsAsValues1765100000000,
  PagePictures1765300000000,
  WholeChunks1765400000000,
  ConnectionAdaptations1765400000001,
  Alerts1765500000000,
  CallsOfTheSite1765700000000,
  TitlesLeft1765700000001,
  FirstModalities1765700000002,
  GroupsAndAccess1765800000000,
  AnswersAsChoices1765910000000,
  People1765950000000,
  Failures1765960000000,
  BudgetRefusals1765960000001,
  ServiceAccounts1765970000000,
  ModelSetup1765980000000,
  SiteLogo1765980000001,
  UsageFilters1765980000002,
  KeyLimits1765990000000,
  LoginEvents1766020000000,
  Passkeys1766020000001,
  TemporaryThreads1766030000000,
  Retention1766030000001,
  DataExports1766030000002,
  Fallbacks1766040000000,
  ThreadSummaries1766040000001,
  Projects1766060000000,
  ProjectFiles1766060000001,
  IdentityProviders1766061000000,
  EmailConfirmations1766061900000,
  ImportedRatings1766062300000,
  ProjectVectors1766062400000,
  SecondFactorValues1766330000000,
  ProjectWords1766350000000,
];
