import { TEXTS } from './texts.js';

/** Status, sentence, and whether the same request may succeed later. */
interface ErrorKind {
  status: number;
  retryable: boolean;
  sentence: string;
}

const final = (status: number, sentence: string): ErrorKind => ({ status, retryable: false, sentence });
const passing = (status: number, sentence: string): ErrorKind => ({ status, retryable: true, sentence });

/**
 * The error codes. Screens and programs switch on the code, never on the text. All sentences of this file are in English
 * and in ICU MessageFormat: the server sends them, and pages in other languages have their own.
 */
export const ERRORS = {
  invalid: final(400, 'The request is not valid. Please check its fields.'),
  unauthenticated: final(401, 'You are not signed in. Please sign in first.'),
  invalid_credentials: final(401, 'The username or password is wrong. Please try again.'),
  totp_required: final(401, 'Please enter the code of your authenticator app.'),
  totp_invalid: final(401, 'This code is wrong or was used before. Please enter a new one.'),
  password_change_required: final(403, 'Please choose a new password first.'),
  totp_enrollment_required: final(403, 'Your account needs two-factor login. Please set it up first.'),
  invitation_invalid: final(400, 'This invitation is no longer valid. Please ask for a new one.'),
  confirmation_invalid: final(400, 'This link is no longer valid. Please log in, and a new one is mailed.'),
  reset_invalid: final(400, 'This link is no longer valid. Please request a new one.'),
  sign_in_failed: final(400, 'Signing in did not work. Please try again.'),
  identity_not_linked: final(
    403,
    'No account belongs to this login. Log in as usual and connect it in your account settings.',
  ),
  reauthentication_required: final(403, 'Please enter your password, or sign in again.'),
  forbidden: final(403, 'You do not have permission for this. Please ask an administrator.'),
  account_pending: final(403, 'Your account waits for approval by an admin. Please log in once it is approved.'),
  account_suspended: final(403, 'Your account is suspended. Please contact the administrator.'),
  registration_closed: final(403, 'Registration is closed. Please ask an administrator for an account.'),
  foreign_origin: final(403, 'This request came from another site. Please open this site and try again.'),
  not_found: final(404, 'This was not found. It may have been deleted.'),
  conflict: final(409, 'This conflicts with another change. Please reload and try again.'),
  username_taken: final(409, 'This username is already taken. Please choose another one.'),
  last_admin: final(409, 'This is the last administrator. Please make another user an administrator first.'),
  last_login_method: final(
    409,
    'This is your only way to log in. Please set a password or connect another login first.',
  ),
  connection_in_use: final(409, 'Models use this connection. Please choose another connection for them first.'),
  group_in_use: final(409, 'Models or tool servers use this group. Please confirm to delete it anyway.'),
  idempotency_mismatch: final(409, 'This id was already used for another message. Please send it with a new id.'),
  thread_busy: passing(409, 'An answer is still being written in this thread. Please wait for it or stop it.'),
  model_unavailable: final(400, 'This model is not available. Please choose another one.'),
  model_premium: final(403, 'This model is for premium members. Please upgrade or choose another one.'),
  tool_not_found: final(404, 'This tool is not available to you. Please switch it off and send again.'),
  quota_exceeded: final(403, 'Message quota exceeded'),
  budget_exceeded: final(403, 'The budget is spent. Please contact the administrator.'),
  budget_too_small: final(403, 'This answer may cost more than any budget. Please choose another model.'),
  price_unknown: final(
    403,
    'The price of this model is unknown, so a budget does not allow it. Please choose another model.',
  ),
  rate_limited: passing(429, 'Too many requests. Please wait a moment and try again.'),
  too_large: final(413, 'The request is too large. Please send less at once.'),
  request_timeout: passing(408, 'The request arrived too slowly. Please send it again.'),
  identity_provider_unreachable: passing(
    503,
    'The login service cannot be reached. Please try again or log in another way.',
  ),
  server_busy: passing(503, 'The server is busy. Please try again in a moment.'),
  unsupported_type: final(415, 'This type of content is not supported. Please use another one.'),
  unreadable_file: final(400, 'The file could not be read. Please check it or choose another one.'),
  range_unsatisfiable: final(416, 'The requested range is not satisfiable. Please request a range within the file.'),
  stream_expired: final(400, 'The events of this response are no longer kept. Please read the response.'),
  provider_auth: final(500, 'The model is not available right now (configuration). Please contact the administrator.'),
  provider_credit: final(
    500,
    'The model is not available right now (configuration). Please contact the administrator.',
  ),
  provider_busy: passing(500, 'The model is busy. Please try again in a moment.'),
  provider_error: passing(500, 'The model provider had a problem. Please try again.'),
  provider_unreachable: passing(500, 'The model provider cannot be reached. Please try again.'),
  provider_context: final(500, 'The conversation is too long for this model.'),
  provider_refused: final(500, 'The model provider refused this request.'),
  timeout_first_token: passing(500, 'The model did not answer in time. Please try again.'),
  timeout_idle: passing(500, 'The answer stopped arriving. Please try again.'),
  interrupted: passing(503, 'The answer was interrupted. Please try again.'),
  shutting_down: passing(503, 'The server is restarting. Please try again in a moment.'),
  storage_unavailable: passing(503, 'The storage is not available right now. Please try again in a moment.'),
  storage_full: passing(507, 'The storage is full. Please contact the administrator.'),
  internal: passing(500, 'The server failed to handle this request. Please try again.'),
} satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** Sentences of the reasons that the bodies of errors name: fields in `code`, other errors in `details.params.reason`. */
export const ERROR_REASONS = {
  invalid: {
    api_key: 'This is not a valid API key. Please paste the whole key.',
    base_url: 'This is not a valid address. Please enter one that begins with http:// or https://.',
    base_url_parts: 'The address contains credentials, a query or a fragment. Please remove them.',
    base_url_forbidden: 'This address is not allowed. Please enter another one.',
    base_url_key: 'The base URL has changed. Please enter the API key again.',
    base_url_required: 'Please enter the base URL.',
    connection: 'This connection does not exist. It may have been deleted.',
    passkey: 'This passkey could not be added. Please try again.',
    group: 'This group does not exist. It may have been deleted.',
    members: 'One of these people does not exist. The account may have been deleted.',
    member_twice: 'The same person is named twice. Please choose one role.',
    members_twice: 'The same person is added and removed. Please choose one.',
    link: 'This is not a valid link. Please enter one that begins with https://, http:// or mailto:.',
    model: 'This model is not listed, not enabled or of another kind. Please choose another one.',
    fallback_unknown: 'One of the fallbacks is not in the list of models. It may have been deleted.',
    fallback_kind: 'Only models for chats have fallbacks and are fallbacks.',
    fallback_of_others:
      'Other models have this one as a fallback, so it stays a model for chats. Please remove it there.',
    fallback_cycle: 'A model cannot be its own fallback, also not by way of other models. Please choose another one.',
    fallback_twice: 'A fallback is named twice. Please remove one.',
    empty_file: 'This file is empty.',
    service_account: 'A service account has neither a password nor admin rights.',
    email_domain: 'Please use an email address of this organization.',
    domains: 'Please enter domains such as example.com.',
    same_password: 'Please choose a password other than the present one.',
    username_at: 'A username cannot contain @. People log in with their email too.',
    expiry_past: 'Please choose a time in the future.',
    admin_key_expiry: 'A key for administrators expires within a year. Please choose an earlier time.',
    future: 'Please choose a time in the future.',
    header_name: 'A header has a name that cannot be used. Please check the names.',
    header_value: 'A header has a value that cannot be used. Please check it.',
    header_not_stored: 'A header has no stored value. Please enter it.',
    server_headers: 'The address has changed. Please enter the headers again.',
    webhook: 'This is not a valid address. Please enter one that begins with http:// or https://, without credentials.',
    webhook_secret: 'The address has changed. Please enter the secret again.',
    invitation_time: 'Choose a time within the next year.',
    invitation_email: 'This invitation is for another email address.',
    thread_short: 'This conversation is too short for a summary.',
    tool_unknown: 'The server has no tool with this name.',
    issuer: 'This is not a valid issuer. Please enter an address that begins with https://, without query or fragment.',
    client_secret: 'The issuer has changed. Please enter the client secret again.',
    return_to: 'This page does not belong to this site.',
    tool_policy: 'A policy is allow, ask or deny.',
  },
  account_pending: { email: 'Please open the link that was mailed to you. Then you can log in.' },
  sign_in_failed: {
    expired: 'This sign-in has expired or was used before. Please start again.',
    cancelled: 'The sign-in was cancelled.',
    other_account: 'You signed in as another person than the one who is logged in here.',
  },
  invalid_credentials: {
    password: 'The current password is wrong. Please try again.',
    passkey: 'This passkey was not accepted. Please try again or use your password.',
  },
  forbidden: {
    sharing_off: 'Sharing is switched off. Please ask an administrator.',
    api_access: 'The API is switched off for your plan. Please ask an administrator.',
    admin_key: 'A key for administrators cannot do this. Please sign in.',
    key_limit: 'An administrator has set this limit. You can only lower it.',
    key_of_person: 'Only the keys of service accounts are made here. People make their own.',
    password_login: 'Only administrators use a password here. Please sign in another way.',
    totp_required: 'Your account needs two-factor login. To use another device, set it up again.',
  },
  conflict: {
    alert_target: 'Nobody is told of alerts yet. Please save an address or an email first.',
    temporary_chat: 'This chat is temporary. Please keep it first.',
    share_links: 'You have {max} links. Please revoke one first.',
    export: 'An export is running already. Please wait for it.',
    import: 'An import is running already. Please wait for it or undo it.',
    import_undo: 'An import is being undone. Please try again in a minute.',
    own_account: 'You cannot delete your own account here. Please use your account settings.',
    own_credentials: 'You cannot change your own password or email here. Please use your account settings.',
    service_account: 'A service account has neither a password nor admin rights.',
    own_totp: 'You cannot reset your own second factor here. Please use your account settings.',
    password_login:
      'At least one active administrator needs a password here. Please give another one a password first.',
    totp_off: 'Two-factor login is already off.',
    totp_setup: 'There is no set-up to confirm. Please start it again.',
    default_model: 'This is the default model. Please make another model the default first.',
    model_exists: 'A model with this Model ID already exists. Please edit that model instead.',
    model_disabled: 'Only an enabled model can be the default. Please enable it first.',
    model_not_in_picker: 'Only a model that the picker offers can be the default.',
    call_decided: 'This call was decided otherwise.',
    api_keys: 'You can have at most {max} API keys. Please delete one first.',
    passkeys: 'You can have at most {max} passkeys. Please remove one first.',
    passkey_known: 'This passkey was added before.',
    connections: 'There can be at most {max} connections.',
    connection_access: 'Neither an API key nor a base URL is set. Please enter one first.',
    connection_built_in: 'This connection belongs to the settings and cannot be deleted. Please disable it instead.',
    connection_name: 'Another connection has this name. Please choose another one.',
    model_groups: 'Groups decide who may use this model. Please change its access instead.',
    groups: 'There can be at most {max} groups.',
    group_name: 'Another group has this name. Please choose another one.',
    file_exists: 'This file is in the project already.',
    projects: 'You can have at most {max} projects. Please delete one first.',
    group_member_provider: 'An identity provider put one of these people into the group. Please change it there.',
    identity_taken: 'This login is connected to another account.',
    identity_providers: 'There can be at most {max} identity providers.',
    identity_provider_environment: 'The environment of the server defines this provider. Please change it there.',
    tool_servers: 'There can be at most {max} tool servers.',
    tool_server_name: 'Another tool server has this name. Please choose another one.',
    tool_changed: 'The tool has changed again. Please review its new definition.',
  },
  not_found: { person: 'There is nobody with this exact name. Please check its spelling.' },
  quota_exceeded: {
    key: 'The message limit of this API key is reached. Please use another key or raise its limit.',
  },
  budget_exceeded: {
    user: 'Your budget is spent. Please wait for its next period or ask an administrator.',
    key: 'The budget of this API key is spent. Please use another key or raise its budget.',
    installation: 'The budget of this site is spent. Please contact the administrator.',
    held: 'Answers that are being written may need the rest of the budget. Please wait until they have ended.',
  },
  budget_too_small: {
    user: 'This answer may cost up to {mostUsd} USD, but your budget has {leftUsd} USD left. Please choose a cheaper model or ask an administrator.',
    key: 'This answer may cost up to {mostUsd} USD, but the budget of this API key has {leftUsd} USD left. Please choose a cheaper model or raise the budget.',
    installation:
      'This answer may cost up to {mostUsd} USD, but the budget of this site has {leftUsd} USD left. Please choose a cheaper model or contact the administrator.',
  },
  rate_limited: { answers: 'Too many answers are being written. Wait until one of them has ended.' },
  too_large: {
    image: 'Image too large. Please select an image under {max}MB.',
    pixels: 'This image has more than {max} megapixels. Please make it smaller.',
    document: 'File terlalu besar. Ukuran maksimum adalah {max}MB.',
    share: 'This conversation is too long to share or to copy. Please export it instead.',
    import: 'The file is larger than {max} MB.',
    storage: 'Your files fill the {max} MB that you may keep. Delete a conversation with files first.',
  },
  unsupported_type: {
    image: TEXTS.files.imageInvalid,
    image_format: TEXTS.files.imageFormat,
    mismatch: 'The content of this file is not what its name or type says. It is: {kind}.',
  },
  provider_error: { empty: 'The model gave an empty answer. Please try again.' },
  interrupted: {
    approval: 'A call of a tool was not approved within 24 hours, so the answer ended.',
    access: 'You may no longer use this model or tool, so the answer ended. Please choose another one.',
  },
  storage_full: {
    project_bytes: 'The files of this project fill the {max} MB that it may keep. Please delete one first.',
    project_files: 'A project of this plan has at most {max} files. Please delete one first.',
    texts:
      'Your imports, copies, share links and stored responses fill the {max} million characters that you may keep. Please delete some of them first.',
  },
} as const satisfies { [C in ErrorCode]?: Record<string, string> };

/** Sentences of further reasons. Bodies carry the sentence without the reason, since no page has a text of its own. */
export const UNNAMED_REASONS = {
  invalid: {
    event: 'This event does not exist.',
    data_url: 'The attachment is not a valid data URL.',
    picture_address:
      'A picture could not be fetched. Send up to {max} public https addresses of PNG, JPEG, GIF or WebP files with {megabytes} MB together, or data URLs.',
    no_json: 'The body is no JSON object. Please check its quotes, commas and brackets.',
    unreadable_body: 'The body could not be read. Please send it again.',
    unstorable_text: 'The request holds text that cannot be stored.',
    form_fields: 'The form has too many fields.',
  },
  unauthenticated: {
    api_key: 'Invalid or missing API key',
    metrics_token: 'Send METRICS_TOKEN as a Bearer token.',
  },
  not_found: {
    method: 'This address does not take {method}. It takes {methods}.',
    address: 'This address is not part of the API. The base URL is {openai}, for clients of Anthropic {anthropic}.',
    user: 'This user does not exist. The account may have been deleted.',
    model: 'This model does not exist. It may have been deleted.',
    response: 'This response was not found. It may have been deleted.',
    item: 'This item was not found. Its response may have been deleted.',
    passkeys: 'Passkeys do not work at this address. Please ask an administrator.',
    mail: 'This site sends no mail. Please ask an admin for a new password.',
  },
  model_unavailable: { name: 'The model {model} does not exist or is not available. Please choose another one.' },
  too_large: {
    input: 'The request is too large: at most {limit, number} {unit} are allowed. Please send less at once.',
    audio: 'The audio file is larger than {max} MB. Please split it.',
  },
  unsupported_type: {
    not_json: 'Send the body with Content-Type: application/json.',
    not_multipart: 'Send the body with Content-Type: multipart/form-data.',
    charset: 'JSON is sent as UTF-8.',
    encoding: 'Send the body without compression, or with gzip.',
    not_audio: 'The file must be an audio file: {extensions}.',
  },
  provider_busy: { seconds: 'The model is busy. Please try again in {seconds} s.' },
  provider_error: {
    address: 'The model is not available right now (configuration). Please contact the administrator.',
    no_image: 'The model could not answer. Please try again.',
    no_model: 'The model provider does not offer this model.',
  },
  provider_unreachable: {
    broken_off: 'The connection to the model broke off before the answer was whole.',
    catalogue: 'The model could not be reached. Please try again.',
  },
  provider_refused: {
    audio_format: 'The model takes audio as WAV or MP3 only.',
    no_embeddings: 'The demo offers no embeddings.',
    pictures: 'The model answered with pictures, which this API does not pass on. Please use another model.',
    no_transcriptions: 'The demo offers no transcriptions.',
  },
  internal: { image: TEXTS.files.imageProcess },
} as const satisfies { [C in ErrorCode]?: Record<string, string> };

type ReasonIn<Reasons, C> = C extends keyof Reasons ? keyof Reasons[C] & string : never;

export type ErrorReason<C extends ErrorCode = ErrorCode> = C extends ErrorCode
  ? ReasonIn<typeof ERROR_REASONS, C> | ReasonIn<typeof UNNAMED_REASONS, C>
  : never;

/** The values of a sentence. Bodies add the `reason`, which distinguishes errors of one code. */
export type ErrorParams = Record<string, string | number>;

export interface FieldError {
  field: string;
  message: string;
  /** The violated rule, as in `minLength`, if known. */
  code?: string;
  params?: ErrorParams;
}

/** The body of every error, in REST answers and in socket acks. */
export interface ErrorBody {
  statusCode: number;
  code: ErrorCode;
  message: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  requestId: string;
  /** Seconds to wait before a retry, if known. */
  retryAfter?: number;
  /** The refused fields of `invalid`, or the values of the sentence. */
  details?: FieldError[] | { params: ErrorParams };
}

/** What a provider said about a failure. Texts have at most 2,000 characters, without keys and without text of the request. */
export interface ProviderFailure {
  /** Its HTTP status. */
  status?: number;
  /** Whether it, or the way to it, took too long. */
  isTimeout?: boolean;
  message?: string;
  type?: string;
  code?: string;
  /** The refused field. */
  param?: string;
}

/** The part of an error that is stored with a message and shown beneath it. */
export interface GenerationError extends Pick<ErrorBody, 'code' | 'message' | 'retryable' | 'retryAfter'> {
  /** The technical cause with the connection's name and the words of the provider. Only in answers to admins; holds no key. */
  cause?: string;
  params?: ErrorParams;
}
