/**
 * Imports run one way. A room of backend/src may use the rooms listed beside it and nothing else of backend/src. Each list
 * is as short as the code allows.
 */
const mayUse = {
  config: [],
  platform: ['config'],
  // Owner, identity and guards: the terms of the product that every feature shares.
  identity: ['platform', 'config'],
  // Recorded by every room that admins change; it uses none of them.
  audit: ['identity', 'platform'],
  providers: ['platform/net', 'platform/json', 'platform/errors', 'platform/system'],
  settings: ['audit', 'providers', 'identity', 'platform', 'config'],
  models: ['audit', 'settings', 'providers', 'identity', 'platform'],
  connections: ['audit', 'models', 'settings', 'providers', 'identity', 'platform'],
  users: ['audit', 'settings', 'identity', 'platform', 'config'],
  'api-keys': ['users', 'identity', 'platform'],
  auth: ['audit', 'users', 'settings', 'identity', 'platform', 'config'],
  preferences: ['identity', 'platform'],
  quota: ['audit', 'api-keys', 'users', 'models', 'settings', 'identity', 'platform', 'config'],
  files: ['settings', 'identity', 'platform', 'config'],
  tools: ['audit', 'files', 'models', 'settings', 'providers', 'identity', 'platform', 'config'],
  chat: [
    'auth',
    'api-keys',
    'quota',
    'preferences',
    'users',
    'files',
    'tools',
    'models',
    'settings',
    'providers',
    'identity',
    'platform',
    'config',
  ],
  images: ['chat', 'models', 'identity', 'platform'],
  imports: ['chat', 'files', 'identity', 'platform', 'config'],
  shares: ['chat', 'files', 'users', 'settings', 'identity', 'platform', 'config'],
  starters: ['models', 'settings', 'providers', 'platform'],
  'public-api': [
    'chat',
    'api-keys',
    'quota',
    'files',
    'models',
    'settings',
    'users',
    'providers',
    'identity',
    'platform',
    'config',
  ],
  'api-docs': ['public-api'],
};

/** Rooms of platform, bottom first. `platform.module.ts` stands above them and may use every room. */
const platformRooms = {
  system: [],
  bodies: ['errors', 'json', 'system'],
  json: ['system'],
  errors: ['json'],
  observability: ['system'],
  secrets: ['observability', 'system'],
  mail: ['resilience'],
  net: ['observability'],
  bus: ['observability', 'redis'],
  redis: ['errors', 'observability', 'resilience'],
  resilience: ['errors', 'observability'],
  sandbox: ['system'],
  'rate-limits': ['errors', 'net', 'observability', 'redis'],
  database: ['errors', 'observability', 'system'],
  session: ['redis', 'secrets'],
  http: ['errors', 'net', 'observability', 'system'],
  clients: ['errors', 'net'],
  sockets: ['errors', 'json', 'net', 'observability', 'redis', 'resilience'],
  operations: ['errors', 'net', 'observability', 'redis'],
};

const tests = '\\.test\\.tsx?$';

const oneWay = (area, name, folder, rooms) =>
  Object.entries(rooms).map(([room, others]) => ({
    name: `${name}-${room}`,
    comment: `${room} uses only: ${others.join(', ') || `nothing of ${area}`}`,
    severity: 'error',
    from: { path: `^${folder}/${room}/`, pathNot: tests },
    to: { path: `^${folder}/`, pathNot: `^${folder}/(${[room, ...others].join('|')})/` },
  }));

const backendFolders = oneWay('backend/src', 'backend', 'backend/src', mayUse);
const roomsOfPlatform = oneWay('platform', 'platform', 'backend/src/platform', platformRooms);

/** The rooms of backend/src/chat, each with the rooms of chat that it may use. */
const chatRooms = {
  messages: [],
  'generation/ports': [],
  'generation/log': [],
  'generation/store': ['messages'],
  'generation/prompt': ['messages'],
  'generation/run': ['messages', 'generation/ports', 'generation/log', 'generation/store'],
  // The steps of an answer and the calls of tools. `run` starts them through its port `answer-source.ts`.
  'generation/steps': ['messages', 'generation/ports', 'generation/store', 'generation/prompt', 'generation/run'],
  'generation/admission': ['messages', 'generation/ports', 'generation/store', 'generation/run'],
};
const generation = Object.keys(chatRooms);
chatRooms.generation = generation;
chatRooms.nodes = [
  'messages',
  'generation/ports',
  'generation/log',
  'generation/store',
  'generation/prompt',
  'generation/run',
];
chatRooms.threads = ['generation', ...generation];
chatRooms.transport = ['threads', 'generation', ...generation];

const inChat = (rooms) => `^backend/src/chat/(${rooms.join('|')})/[^/]+$`;
const chatRules = Object.entries(chatRooms).map(([room, others]) => ({
  name: `chat-${room.replace('/', '-')}`,
  comment: `chat/${room} uses only: ${others.join(', ') || 'no other room of chat'}`,
  severity: 'error',
  // The module of `generation` provides `nodes` too: each of the two injects services of the other.
  from: { path: inChat([room]), pathNot: [tests, '/generation\\.module\\.ts$'] },
  to: { path: '^backend/src/chat/', pathNot: inChat([room, ...others]) },
}));

/**
 * Rooms inside a room, and what each may use of the rooms and files around it: a folder ends in a slash. Rooms of `platform`,
 * `chat`, `app` and `components` have tables of their own.
 */
const innerRooms = {
  // They use nothing of the room around them, which verifies passwords and limits attempts.
  'backend/src/auth': { 'password-reset': [], totp: [] },
  'backend/src/files': {
    store: ['file-name'],
    inspection: ['file-name'],
    extract: ['inspection/'],
    images: [],
    upload: ['inspection/'],
  },
  'backend/src/imports': { reader: [] },
  'backend/src/providers': {
    demo: ['provider', 'provider-error'],
    upstream: ['provider', 'provider-error'],
  },
  'backend/src/providers/upstream': { completion: ['reported-usage', 'upstream-failure', 'wire-format'] },
  'backend/src/public-api': {
    completions: [
      'api-body',
      'api-key.guard',
      'api-models',
      'api-request',
      'json-fields',
      'keep-alive',
      'lenient-validation',
      'model-entry',
      'public-api-error',
      'quota-headers',
    ],
    responses: [
      'api-body',
      'completions/',
      'api-key.guard',
      'json-fields',
      'keep-alive',
      'lenient-validation',
      'public-api-error',
      'quota-headers',
    ],
  },
  'backend/src/quota': { budgets: ['cost'], usage: [] },
  'backend/src/tools': {
    outbound: [],
    mcp: ['outbound/', 'cut-text', 'tool'],
    pages: ['outbound/', 'define-tool'],
    search: ['outbound/'],
    servers: ['mcp/', 'cut-text', 'tool', 'tool-rate-limits', 'tool-registry'],
    'built-in': ['pages/', 'search/', 'cut-text', 'define-tool', 'tool', 'tool-rate-limits', 'tool-registry'],
  },
  'backend/src/users': { deletion: ['user-audit', 'user.entity'] },
  'frontend/src/features/admin-settings': {
    budgets: ['settings-rules'],
    connections: ['section', 'settings.query'],
    ideas: ['settings-rules'],
    sharing: ['select-field'],
    tools: ['connections/', 'settings-rules'],
  },
  'frontend/src/features/admin-tools': {
    review: ['server-mutations', 'tool-servers.query'],
    'server-dialog': ['failure-text', 'server-mutations'],
  },
  'frontend/src/features/api-integration': { keys: ['offered-models'] },
  'frontend/src/features/auth': { data: [], totp: [] },
  'frontend/src/features/chat/composer': { tools: [] },
  'frontend/src/features/chat/messages': {
    actions: [],
    announcements: [],
    parts: ['message-files', 'reasoning', 'thinking', 'use-streaming'],
    reveal: [],
  },
  'frontend/src/features/markdown': { code: [], math: [] },
  'frontend/src/features/sidebar': { palette: ['threads/'], threads: ['loading-chats', 'nav-item', 'section'] },
  'frontend/src/texts': { spec: ['catalogue'], en: ['spec/', 'catalogue'], id: ['spec/', 'catalogue'] },
};

const escaped = (text) => text.replaceAll('.', '\\.');
const partOf = (name) => (name.endsWith('/') ? name : `${escaped(name)}\\.tsx?$`);

const innerRoomRules = Object.entries(innerRooms).flatMap(([folder, rooms]) =>
  Object.entries(rooms).map(([room, others]) => ({
    name: `${folder.replace(/^(backend|frontend)\/src\//, '$1-').replaceAll('/', '-')}-${room}`,
    comment: `${folder}/${room} uses only: ${others.join(', ') || 'nothing else of the folder around it'}`,
    severity: 'error',
    from: { path: `^${folder}/${room}/`, pathNot: tests },
    to: { path: `^${folder}/`, pathNot: `^${folder}/(${[`${room}/`, ...others.map(partOf)].join('|')})` },
  })),
);

const filesEntry = {
  name: 'files-entry',
  comment:
    'Other folders use the service, the module, the entity, names, responses and contents of files and the reader of pages, not the inner rooms.',
  severity: 'error',
  from: { path: '^backend/src/', pathNot: [tests, '^backend/src/files/'] },
  to: {
    path: '^backend/src/files/',
    pathNot:
      '^backend/src/files/(files\\.(service|module)|file\\.entity|file-name|file-response|attached-files|extract/page-extractor)\\.ts$',
  },
};

/** The files of a room that other rooms may import. The rest of the room is private. */
const entrances = {
  auth: ['auth.module', 'identity.service', 'guest-cookies'],
  audit: ['audit.module', 'audit-log', 'audit.middleware'],
  'api-keys': ['api-keys.module', 'api-key-sql', 'key-lookup.service', 'key-names.service'],
  users: [
    'users.module',
    'users.service',
    'account-access.service',
    'roles.service',
    'passwords.service',
    'account-fields',
    'username',
    'user-view',
    'admin-user-view',
    'user.entity',
    'user-sql',
    'user-audit',
    'key-secret',
  ],
  settings: [
    'settings.module',
    'settings.service',
    'settings-topics',
    'provider-access',
    'search-fields.dto',
    'tool-settings',
  ],
  models: ['models.module', 'models.service', 'catalogue-editor.service', 'model-prices', 'models-topics'],
  connections: ['connections.module'],
  preferences: ['preferences.module', 'preferences-sql'],
  quota: [
    'quota.module',
    'quota.service',
    'quota-sql',
    'cost',
    'free-stops',
    'budgets/budget.service',
    'budgets/budget-sql',
  ],
  imports: ['imports.module'],
  shares: ['shares.module'],
  starters: ['starters.module'],
  tools: ['tools.module', 'tool', 'tool-registry'],
  images: ['images.module'],
  'public-api': ['public-api.module', 'public-api-error'],
};

const backendEntrances = Object.entries(entrances).map(([folder, files]) => ({
  name: `entrance-${folder}`,
  comment: `${folder} is entered through: ${files.join(', ')}`,
  severity: 'error',
  // The list of entities names the tables of every room.
  from: { path: '^backend/src/', pathNot: [`^backend/src/${folder}/`, '^backend/src/app\\.entities\\.ts$', tests] },
  to: {
    path: `^backend/src/${folder}/`,
    pathNot: `^backend/src/${folder}/(${files.join('|').replaceAll('.', '\\.')})\\.ts$`,
  },
}));

const detachedGenerations = {
  name: 'chat-for-detached-generations',
  comment:
    'images and public-api enter chat through the modules of generation and messages, DetachedGenerations and StoredTextQuota.',
  severity: 'error',
  from: { path: '^backend/src/(images|public-api)/', pathNot: tests },
  to: {
    path: '^backend/src/chat/',
    pathNot:
      '^backend/src/chat/(generation/(generation\\.module|detached-generations)|messages/(messages\\.module|stored-text-quota))\\.ts$',
  },
};

const wholeConversations = {
  name: 'chat-for-whole-conversations',
  comment:
    'shares and imports enter chat through the modules of threads and messages, ThreadsService, ConversationWriter, StoredTextQuota, contents and SQL fragments.',
  severity: 'error',
  from: { path: '^backend/src/(shares|imports)/', pathNot: tests },
  to: {
    path: '^backend/src/chat/',
    pathNot:
      '^backend/src/chat/(threads/threads\\.(module|service)|messages/(messages\\.module|conversation-writer|content-files|message-content|message-sql|stored-text-quota))\\.ts$',
  },
};

const importReader = {
  name: 'imports-reader',
  comment: 'imports/reader runs in a process of its own and uses only the contract and the loop of that process.',
  severity: 'error',
  from: { path: '^backend/src/imports/reader/', pathNot: tests },
  to: { path: '^backend/src/', pathNot: '^backend/src/(imports/reader/|platform/sandbox/sandbox-worker\\.ts$)' },
};

const features = {
  name: 'features-apart',
  comment: 'Features do not import one another, except chat → markdown.',
  severity: 'error',
  from: { path: '^frontend/src/features/([^/]+)/', pathNot: tests },
  to: { path: '^frontend/src/features/', pathNot: ['^frontend/src/features/$1/', '^frontend/src/features/markdown/'] },
};

/** The rooms of features/chat, each with the rooms that it may import. */
const pageChatRooms = {
  client: [],
  shared: ['client'],
  composer: ['shared', 'client'],
  messages: ['shared', 'client'],
  'shared-page': ['messages', 'shared', 'client'],
  'model-picker': ['shared', 'client'],
  'thread-tools': ['shared', 'client'],
};

const pageChatRules = Object.entries(pageChatRooms).map(([room, others]) => ({
  name: `features-chat-${room}`,
  comment: `features/chat/${room} imports only: ${others.join(', ') || 'no other room'}`,
  severity: 'error',
  from: { path: `^frontend/src/features/chat/${room}/`, pathNot: tests },
  to: {
    path: '^frontend/src/features/chat/',
    pathNot: `^frontend/src/features/chat/(${[room, ...others].join('|')})/`,
  },
}));
/** The rooms of frontend/src/app and frontend/src/components, each with the rooms of the same folder that it may use. */
const appRooms = { i18n: [], api: ['i18n'], state: [], theme: [], queries: ['api'], storage: ['state'] };
appRooms.browser = ['api', 'i18n'];
appRooms.language = ['queries', 'storage', 'api', 'i18n'];
appRooms.socket = ['browser', 'queries', 'api'];
appRooms.session = ['socket', 'storage', 'queries', 'state', 'api'];
appRooms.sync = ['session', ...appRooms.session];
const componentRooms = { forms: [], hooks: [], feedback: ['hooks'] };
componentRooms.buttons = ['feedback', 'hooks'];
componentRooms.lazy = ['feedback', 'hooks'];
componentRooms.layout = ['feedback', 'hooks'];
componentRooms.tables = ['buttons', 'hooks'];
componentRooms.dialogs = ['buttons', 'hooks'];

const roomRules = (folder, rooms) =>
  Object.entries(rooms).map(([room, others]) => ({
    name: `frontend-${folder}-${room}`,
    comment: `${folder}/${room} uses only: ${others.join(', ') || 'no other room of its folder'}`,
    severity: 'error',
    from: { path: `^frontend/src/${folder}/${room}/`, pathNot: tests },
    to: { path: `^frontend/src/${folder}/`, pathNot: `^frontend/src/${folder}/(${[room, ...others].join('|')})/` },
  }));

const listed = [
  ...Object.entries(innerRooms).flatMap(([folder, rooms]) => Object.keys(rooms).map((room) => `${folder}/${room}`)),
  ...Object.keys(mayUse)
    .filter((room) => room !== 'platform')
    .map((room) => `backend/src/${room}`),
  ...Object.keys(platformRooms).map((room) => `backend/src/platform/${room}`),
  ...Object.keys(chatRooms).map((room) => `backend/src/chat/${room}`),
  ...Object.keys(appRooms).map((room) => `frontend/src/app/${room}`),
  ...Object.keys(componentRooms).map((room) => `frontend/src/components/${room}`),
  // The page of the chat uses every room beside it.
  ...[...Object.keys(pageChatRooms), 'conversation'].map((room) => `frontend/src/features/chat/${room}`),
];

/**
 * Files that need no table: texts of one area in a language, features, which `features-apart` keeps apart, migrations, the
 * module of `platform`, and the roots of the page.
 */
const WITHOUT_TABLE = [
  'frontend/src/texts/[^/]+/areas/[^/]+',
  'frontend/src/features/[^/]+/[^/]+',
  'frontend/src/(app|components|routes|texts)/[^/]+',
  'backend/src/platform/database/migrations/[^/]+',
  'backend/src/platform/platform\\.module\\.ts',
];

/** A room without a rule would be free to use any other. */
const roomsWithoutRules = {
  name: 'room-without-rule',
  comment: 'List a new room in the table of the room around it, such as mayUse or innerRooms.',
  severity: 'error',
  from: {
    path: '^(backend|frontend)/src/.+/',
    pathNot: [tests, `^(${listed.join('|')})/[^/]+$`, `^(${WITHOUT_TABLE.join('|')})$`],
  },
  to: {},
};

/** The modules that use the SDK of OpenTelemetry. */
const tracingAdapter = 'otel-tracing|samplers|reporting-exporter';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    // Modules that Vite makes at build time have no file.
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
    ...backendFolders,
    ...chatRules,
    ...innerRoomRules,
    filesEntry,
    ...backendEntrances,
    detachedGenerations,
    wholeConversations,
    importReader,
    ...roomsOfPlatform,
    roomsWithoutRules,
    {
      name: 'providers-without-frameworks',
      comment: 'Providers reach no framework and no database, not even through platform/net.',
      severity: 'error',
      from: { path: '^backend/src/providers/', pathNot: tests },
      to: { path: 'node_modules/(@nestjs|typeorm|pg|ioredis|express|socket\\.io)(/|$)', reachable: true },
    },
    {
      name: 'tracing-sdk-on-demand',
      comment:
        'Only the adapter of tracing uses OpenTelemetry. A dynamic import loads it when a collector is configured.',
      severity: 'error',
      from: {
        path: '^backend/src/',
        pathNot: `^backend/src/platform/observability/(${tracingAdapter})(\\.test)?\\.ts$`,
      },
      to: {
        path: ['node_modules/@opentelemetry/', `^backend/src/platform/observability/(${tracingAdapter})\\.ts$`],
        dependencyTypesNot: ['dynamic-import'],
      },
    },
    features,
    ...pageChatRules,
    {
      name: 'chat-client-without-react',
      comment: 'features/chat/client holds no hooks and no components.',
      severity: 'error',
      from: { path: '^frontend/src/features/chat/client/', pathNot: tests },
      to: {
        path: [
          'node_modules/(react|react-dom|@chakra-ui)/',
          'node_modules/zustand/(esm/)?(index|react)\\.m?js',
          '\\.tsx$',
        ],
      },
    },
    {
      name: 'chat-and-markdown-without-cycles',
      comment: 'Type-only imports count too.',
      severity: 'error',
      from: { path: '^frontend/src/features/(chat|markdown)/' },
      to: { circular: true },
    },
    {
      name: 'only-chat-shows-markdown',
      severity: 'error',
      from: { path: '^frontend/src/features/(?!chat/|markdown/)', pathNot: tests },
      to: { path: '^frontend/src/features/markdown/' },
    },
    {
      name: 'components-import-no-feature',
      severity: 'error',
      from: { path: '^frontend/src/(components|app)/', pathNot: [tests, '^frontend/src/app/.*\\.gen\\.ts$'] },
      to: { path: '^frontend/src/(features|routes)/' },
    },
    ...roomRules('app', appRooms),
    ...roomRules('components', componentRooms),
    {
      name: 'app-uses-no-component',
      comment: 'Only the router uses a component: its error page.',
      severity: 'error',
      from: { path: '^frontend/src/app/', pathNot: [tests, '^frontend/src/app/router\\.ts$'] },
      to: { path: '^frontend/src/components/' },
    },
    {
      name: 'features-import-no-route',
      severity: 'error',
      from: { path: '^frontend/src/features/', pathNot: tests },
      to: { path: '^frontend/src/routes/' },
    },
    {
      name: 'sides-meet-in-the-contract',
      severity: 'error',
      from: { path: '^(frontend|contract)/' },
      to: { path: '^backend/' },
    },
    {
      name: 'contract-depends-on-nothing',
      severity: 'error',
      from: { path: '^contract/src/', pathNot: tests },
      to: { pathNot: '^contract/src/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@tanya/source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
};
