const { existsSync } = require('node:fs');

/**
 * Imports run one way. Each room is listed once, below the folder around it, with what it may use of that folder: a room
 * ends in a slash, a file has no ending. Each list is as short as the code allows.
 *
 * A list alone stands for `uses`. `entrances` are the files that others of `backend/src` may import; the rest of the room is
 * private. `rooms` are the rooms inside.
 */
const backend = {
  config: [],
  platform: {
    uses: ['config/'],
    // Bottom first. `platform.module.ts` stands above them and may use every room.
    rooms: {
      system: [],
      // What reaches under a library: each file has its figure (decision 56).
      'fast-paths': [],
      bodies: ['errors/', 'json/', 'system/'],
      json: ['system/'],
      errors: ['json/'],
      observability: ['system/'],
      secrets: ['database/', 'observability/', 'system/'],
      mail: ['resilience/'],
      net: ['observability/'],
      bus: ['database/', 'observability/', 'redis/', 'resilience/'],
      redis: ['errors/', 'observability/', 'resilience/'],
      resilience: ['errors/', 'observability/'],
      sandbox: ['system/'],
      'rate-limits': ['errors/', 'net/', 'observability/', 'redis/'],
      database: ['errors/', 'fast-paths/', 'observability/', 'system/'],
      session: ['redis/', 'secrets/'],
      http: ['errors/', 'json/', 'net/', 'observability/', 'system/'],
      clients: ['errors/', 'net/'],
      sockets: ['errors/', 'json/', 'net/', 'observability/', 'redis/', 'resilience/'],
      operations: ['errors/', 'net/', 'observability/', 'redis/'],
    },
  },
  // Owner, identity and guards: the terms of the product that every feature shares.
  identity: ['platform/', 'config/'],
  // Recorded by every room that admins change; it uses none of them.
  audit: {
    uses: ['identity/', 'platform/', 'config/'],
    entrances: ['audit.module', 'audit-log', 'audit.middleware', 'login-events'],
  },
  // Recorded by the rooms in which failures happen; it uses none of them.
  failures: { uses: ['identity/', 'platform/'], entrances: ['failures.module', 'failure-log'] },
  // Groups and rules of access. The rooms whose rules name groups register their use.
  access: {
    uses: ['audit/', 'identity/', 'platform/'],
    entrances: [
      'access.module',
      'access-rule.dto',
      'access-topics',
      'changed-rule',
      'group-sql',
      'group-uses',
      'groups.service',
      'may',
    ],
  },
  providers: {
    uses: ['platform/fast-paths/', 'platform/net/', 'platform/json/', 'platform/errors/', 'platform/system/'],
    rooms: {
      demo: ['provider', 'provider-error'],
      upstream: {
        uses: ['provider', 'provider-error'],
        rooms: { completion: ['dialect/', 'reported-usage', 'upstream-failure'], dialect: [] },
      },
    },
  },
  models: {
    uses: ['access/', 'audit/', 'providers/', 'identity/', 'platform/'],
    entrances: [
      'models.module',
      'models.service',
      'model-catalogue',
      'model-editor.service',
      'model-metrics',
      'model-prices',
      'pricing',
    ],
  },
  connections: {
    uses: ['audit/', 'models/', 'providers/', 'identity/', 'platform/', 'config/'],
    entrances: ['connections.module', 'connections.service', 'provider-access'],
  },
  budgets: ['identity/', 'platform/'],
  settings: {
    uses: ['audit/', 'budgets/', 'connections/', 'models/', 'providers/', 'identity/', 'platform/', 'config/'],
    entrances: [
      'settings.module',
      'settings.service',
      'email-domains',
      'settings.dto',
      'search-settings',
      'site-logo.service',
    ],
  },
  users: {
    uses: ['access/', 'audit/', 'settings/', 'identity/', 'platform/', 'config/'],
    entrances: [
      'users.module',
      'users.service',
      'user-lookup.service',
      'account-access.service',
      'account-notices',
      'roles.service',
      'passwords.service',
      'account-fields',
      'username',
      'user-view',
      'user.entity',
      'user-sql',
      'user-audit',
    ],
    rooms: { deletion: ['user-audit', 'user.entity'] },
  },
  'api-keys': {
    uses: ['audit/', 'budgets/', 'users/', 'settings/', 'identity/', 'platform/'],
    entrances: [
      'api-keys.module',
      'api-keys.service',
      'api-keys.dto',
      'api-key-sql',
      'api-rates',
      'key-lookup.service',
      'key-text',
    ],
  },
  'admin-users': {
    uses: ['access/', 'api-keys/', 'quota/', 'users/', 'identity/', 'platform/'],
    entrances: ['admin-users.module', 'admin-user-view'],
  },
  auth: {
    uses: [
      'access/',
      'admin-users/',
      'api-keys/',
      'audit/',
      'users/',
      'settings/',
      'identity/',
      'platform/',
      'config/',
    ],
    entrances: ['auth.module', 'credentials.service', 'identity.service', 'guest-cookies'],
    // Most use nothing of the room around them, which verifies passwords and limits attempts.
    rooms: {
      'email-confirmation': [],
      invitations: [],
      passkeys: [],
      'password-reset': [],
      totp: [],
      oidc: ['passkeys/', 'credentials.service', 'guest-migration.service', 'session-user', 'sessions.service'],
    },
  },
  preferences: { uses: ['identity/', 'platform/'], entrances: ['preferences.module', 'preferences-sql'] },
  quota: {
    uses: [
      'access/',
      'audit/',
      'api-keys/',
      'budgets/',
      'users/',
      'models/',
      'settings/',
      'providers/',
      'identity/',
      'platform/',
      'config/',
    ],
    entrances: [
      'quota.module',
      'quota.service',
      'quota-sql',
      'cost',
      'free-stops',
      'hold-amount',
      'budget.service',
      'site-calls',
      'usage-meter',
      'usage-reset',
      'usage/usage-csv.service',
    ],
    rooms: { usage: [] },
  },
  files: {
    uses: ['settings/', 'identity/', 'platform/', 'config/'],
    entrances: [
      'files.service',
      'files.module',
      'file.entity',
      'file-name',
      'file-response',
      'attached-files',
      'document-pieces',
      'file-copies',
      'file-export',
      'file-removal',
      'file-sweep',
      'file-trash',
      'data-url-files',
      'model-files',
      'extract/page-extractor',
      'projects/document-pages',
      'projects/project-documents',
      'projects/project-file-sql',
      'upload/staging',
    ],
    rooms: {
      store: ['file-name'],
      inspection: ['file-name'],
      formats: {
        uses: ['inspection/'],
        rooms: {
          text: ['sections'],
          pdf: ['text/', 'sections', 'xml'],
          office: {
            uses: ['text/', 'html-text', 'rtf', 'sections', 'xml', 'zip-contents'],
            rooms: {
              drawn: [],
              equations: [],
              forms: [],
              lists: [],
              sheets: ['drawings', 'ole', 'package'],
            },
          },
          doc: ['text/', 'office/', 'rtf-fonts', 'sections'],
          ppt: ['text/', 'office/', 'sections'],
        },
      },
      extract: ['formats/', 'inspection/', 'file-name'],
      images: [],
      logo: ['images/', 'inspection/', 'upload/'],
      projects: [
        'extract/',
        'inspection/',
        'store/',
        'upload/',
        'document-reader',
        'file-name',
        'file-removal',
        'file.entity',
      ],
      upload: ['inspection/'],
    },
  },
  tools: {
    uses: ['access/', 'audit/', 'files/', 'models/', 'settings/', 'providers/', 'identity/', 'platform/', 'config/'],
    entrances: [
      'tools.module',
      'define-tool',
      'tool',
      'tool-registry',
      'outbound/outbound-failure',
      'outbound/outbound-request',
      'servers/tool-servers.service',
    ],
    rooms: {
      outbound: [],
      mcp: ['outbound/', 'cut-text', 'tool'],
      pages: ['outbound/', 'define-tool'],
      search: ['outbound/'],
      servers: ['mcp/', 'cut-text', 'tool', 'tool-rate-limits', 'tool-registry'],
      'built-in': ['pages/', 'search/', 'cut-text', 'define-tool', 'tool', 'tool-rate-limits', 'tool-registry'],
    },
  },
  // Read by chat, which deletes by it.
  retention: {
    uses: ['audit/', 'identity/', 'platform/'],
    entrances: ['retention.module', 'retention.service', 'retention-rules', 'retention-sql'],
  },
  projects: {
    uses: [
      'access/',
      'files/',
      'tools/',
      'quota/',
      'models/',
      'settings/',
      'users/',
      'providers/',
      'identity/',
      'platform/',
      'config/',
    ],
    entrances: [
      'projects.module',
      'projects.service',
      'project-changes',
      'project-export',
      'project-leaves',
      'project-sql',
      'project-store',
      'asking/project-knowledge',
      'indexing/search-words',
    ],
    rooms: {
      embedding: ['project-changes'],
      indexing: ['embedding/', 'project-changes', 'project-file-store', 'project-limits', 'project-store'],
      search: ['embedding/', 'indexing/', 'passages', 'project-sql', 'projects.service'],
      asking: ['search/', 'passages', 'project-file-store', 'project-store'],
      demo: ['project-files.service', 'projects.service'],
    },
  },
  alerts: {
    uses: ['budgets/', 'connections/', 'settings/', 'tools/', 'users/', 'identity/', 'platform/', 'config/'],
    entrances: ['alerts.module', 'alerts.service'],
  },
  chat: [
    'access/',
    'alerts/',
    'retention/',
    'auth/',
    'api-keys/',
    'budgets/',
    'failures/',
    'quota/',
    'preferences/',
    'projects/',
    'users/',
    'files/',
    'tools/',
    'models/',
    'connections/',
    'settings/',
    'providers/',
    'identity/',
    'platform/',
    'config/',
  ],
  images: { uses: ['chat/', 'models/', 'identity/', 'platform/'], entrances: ['images.module'] },
  transcriptions: {
    uses: ['chat/', 'files/', 'models/', 'settings/', 'providers/', 'identity/', 'platform/'],
    entrances: ['transcriptions.module', 'transcriptions.service'],
  },
  exports: {
    uses: ['auth/', 'chat/', 'files/', 'projects/', 'quota/', 'users/', 'identity/', 'platform/', 'config/'],
    entrances: ['exports.module', 'data-export.entity'],
  },
  imports: {
    uses: ['chat/', 'files/', 'identity/', 'platform/', 'config/'],
    entrances: ['imports.module'],
    rooms: { reader: { uses: [], rooms: { programs: ['source-conversation', 'fields', 'conversation-tree'] } } },
  },
  shares: {
    uses: ['chat/', 'files/', 'users/', 'settings/', 'identity/', 'platform/', 'config/'],
    entrances: ['shares.module'],
  },
  starters: {
    uses: ['quota/', 'models/', 'settings/', 'providers/', 'platform/'],
    entrances: ['starters.module'],
  },
  'public-api': {
    uses: [
      'transcriptions/',
      'access/',
      'chat/',
      'api-keys/',
      'quota/',
      'files/',
      'models/',
      'settings/',
      'users/',
      'providers/',
      'identity/',
      'platform/',
      'config/',
    ],
    entrances: ['public-api.module', 'public-api-error', 'quota-headers', 'api-addresses'],
    rooms: {
      answers: ['api-models', 'api-request', 'json-fields', 'quota-headers'],
      completions: ['answers/', 'api-key.guard', 'json-fields', 'program-body', 'public-api-error'],
      messages: ['answers/', 'api-key.guard', 'json-fields', 'program-body', 'public-api-error', 'quota-headers'],
      responses: ['answers/', 'api-key.guard', 'json-fields', 'program-body', 'public-api-error', 'quota-headers'],
    },
  },
  'api-docs': ['public-api/'],
};

const belowGeneration = ['messages/', 'sockets/', 'nodes/'];
const inGeneration = ['log/', 'store/', 'prompt/', 'live/', 'end/', 'approvals/', 'run/', 'admission/'].map(
  (room) => `generation/${room}`,
);
const endsAnswers = ['messages/', 'sockets/', 'generation/log/', 'generation/store/', 'generation/live/'];

/** The rooms of `backend/src/chat`. A room here has none inside: those of `generation` stand beside it. */
const chat = {
  messages: [],
  sockets: [],
  'generation/log': [],
  'generation/store': ['messages/', 'generation/detached/written-answer'],
  'generation/prompt': ['messages/', 'sockets/'],
  'generation/live': ['messages/', 'generation/log/', 'generation/store/', 'generation/detached/detached-answer'],
  'generation/end': [...endsAnswers, 'generation/detached/written-answer'],
  'generation/approvals': [...endsAnswers, 'generation/end/'],
  nodes: [
    'messages/',
    'generation/store/',
    'generation/prompt/',
    'generation/live/',
    'generation/end/',
    'generation/approvals/',
  ],
  'generation/run': [
    ...endsAnswers,
    'nodes/',
    'generation/prompt/',
    'generation/end/',
    'generation/approvals/',
    'generation/detached/detached-answer',
  ],
  'generation/admission': ['messages/', 'nodes/', 'generation/store/', 'generation/live/'],
  'generation/detached': ['messages/', 'generation/generation-stopper', ...inGeneration],
  generation: [...belowGeneration, ...inGeneration, 'generation/detached/'],
  threads: [...belowGeneration, 'generation/', ...inGeneration],
  transport: [...belowGeneration, 'threads/', 'generation/', ...inGeneration],
};

/** The rooms of the page, by the folder around them. The features do not use one another. */
const page = {
  app: {
    i18n: [],
    api: ['i18n/'],
    state: [],
    theme: [],
    queries: ['api/'],
    storage: ['state/'],
    browser: ['api/', 'i18n/', 'storage/'],
    language: ['queries/', 'storage/', 'api/', 'i18n/'],
    socket: ['browser/', 'queries/', 'api/'],
    session: ['socket/', 'storage/', 'queries/', 'state/', 'api/'],
    sync: ['session/', 'socket/', 'storage/', 'queries/', 'state/', 'api/'],
  },
  components: {
    forms: [],
    hooks: [],
    feedback: ['hooks/'],
    buttons: ['feedback/', 'hooks/'],
    lazy: ['feedback/', 'hooks/'],
    files: ['lazy/'],
    layout: ['feedback/', 'hooks/'],
    dialogs: ['buttons/', 'hooks/'],
    tables: ['dialogs/', 'layout/', 'feedback/', 'buttons/', 'forms/', 'hooks/'],
    'sign-in': ['buttons/', 'feedback/', 'forms/', 'lazy/'],
  },
  'features/chat': {
    client: [],
    shared: ['client/'],
    composer: { uses: ['shared/', 'client/'], rooms: { tools: [], dictation: [] } },
    messages: {
      uses: ['shared/', 'client/'],
      rooms: {
        actions: [],
        found: ['conversation-view', 'text-nodes'],
        announcements: [],
        parts: ['message-files', 'reasoning', 'thinking', 'use-streaming'],
        reveal: [],
        scrolling: [],
      },
    },
    'shared-page': ['messages/', 'shared/', 'client/'],
    'model-picker': ['shared/', 'client/'],
    'thread-tools': ['shared/', 'client/'],
    // The page of the chat uses every room beside it.
    conversation: ['client/', 'shared/', 'composer/', 'messages/', 'shared-page/', 'model-picker/', 'thread-tools/'],
  },
  'features/admin-settings': {
    connections: ['settings.query'],
    ideas: ['setting-rule', 'setting-values'],
    'identity-providers': [],
    tools: ['connections/', 'plan-numbers', 'setting-field', 'setting-values'],
  },
  'features/admin-tools': {
    review: ['server-mutations', 'tool-servers.query'],
    'server-dialog': ['failure-text', 'server-mutations'],
  },
  'features/api-integration': { keys: ['api-models'], 'admin-keys': ['keys/'] },
  'features/auth': {
    account: ['data/', 'oidc/', 'passkeys/', 'totp/', 'password-form', 'register-rules'],
    data: ['totp/'],
    passkeys: ['totp/'],
    totp: ['password-form'],
    oidc: ['totp/', 'auth-panels'],
  },
  'features/markdown': { code: [], math: ['nodes'], meant: [] },
  'features/sidebar': {
    palette: ['threads/', 'admin-links', 'member-pages', 'page-section'],
    threads: ['loading-chats', 'sections-store'],
  },
  texts: { spec: ['catalogue'], en: ['spec/', 'catalogue'], id: ['spec/', 'catalogue'] },
};

const tests = '\\.test\\.tsx?$';
/** The module of `generation` provides `nodes` too: each of the two injects services of the other. */
const WIRING_OF_NODES = '/generation\\.module\\.ts$';
const escaped = (text) => text.replaceAll('.', '\\.');

/** A room or a file as part of a pattern; a room of a flat table without those inside. */
const patternOf = (name, isFlat) =>
  name.endsWith('/') ? `${name}${isFlat ? '[^/]+$' : ''}` : `${escaped(name)}\\.tsx?$`;

/** A name that no file has any more would allow a file of that name unread. */
function mustExist(folder, names) {
  for (const name of names)
    if (!['', '.ts', '.tsx'].some((ending) => existsSync(`${__dirname}/${folder}/${name}${ending}`)))
      throw new Error(`.dependency-cruiser.cjs names ${folder}/${name}, which does not exist`);
}

const withFields = (room) => (Array.isArray(room) ? { uses: room } : room);

/** The rules of the rooms of a folder and of those inside. */
function rulesOf(folder, rooms, { isFlat = false } = {}) {
  return Object.entries(rooms).flatMap(([name, room]) => {
    const { uses, entrances, rooms: inner = {} } = withFields(room);
    const own = `${folder}/${name}`;
    mustExist(folder, uses);
    mustExist(own, entrances ?? []);
    const allowed = [`${name}/`, ...uses].map((each) => patternOf(each, isFlat)).join('|');
    const usesOnly = {
      name: own,
      comment: `${own} uses only: ${uses.join(', ') || 'nothing else'} of ${folder}`,
      severity: 'error',
      from: { path: `^${folder}/${patternOf(`${name}/`, isFlat)}`, pathNot: isFlat ? [tests, WIRING_OF_NODES] : tests },
      to: { path: `^${folder}/`, pathNot: `^${folder}/(${allowed})` },
    };
    const enteredBy = entrances && {
      name: `${own}, entrance`,
      comment: `${own} is entered through: ${entrances.join(', ')}`,
      severity: 'error',
      // The list of entities names the tables of every room.
      from: { path: '^backend/src/', pathNot: [`^${own}/`, '^backend/src/app\\.entities\\.ts$', tests] },
      to: { path: `^${own}/`, pathNot: `^${own}/(${entrances.map(escaped).join('|')})\\.ts$` },
    };
    return [usesOnly, ...(enteredBy ? [enteredBy] : []), ...rulesOf(own, inner)];
  });
}

/** The paths of the rooms of a folder and of those inside. */
const pathsOf = (folder, rooms) =>
  Object.entries(rooms).flatMap(([name, room]) => {
    const own = `${folder}/${name}`;
    return [own, ...pathsOf(own, withFields(room).rooms ?? {})];
  });

const pages = Object.entries(page).map(([folder, rooms]) => [`frontend/src/${folder}`, rooms]);

const listed = [
  // `platform.module.ts` stands above the rooms of `platform`.
  ...pathsOf('backend/src', backend).filter((path) => path !== 'backend/src/platform'),
  ...pathsOf('backend/src/chat', chat),
  ...pages.flatMap(([folder, rooms]) => pathsOf(folder, rooms)),
];

const detachedGenerations = {
  name: 'chat-for-detached-generations',
  comment:
    'images and public-api enter chat through the modules of generation and messages, the room of detached generations, RequestKey, what runs are told, the counts of sends, the stop, TextQuota and the quotation of texts and documents.',
  severity: 'error',
  from: { path: '^backend/src/(images|public-api)/', pathNot: tests },
  to: {
    path: '^backend/src/chat/',
    pathNot:
      '^backend/src/chat/(generation/(generation\\.module|generation-stopper|detached/[^/]+|admission/(idempotency|send-rate-limiter)|live/run-spec|prompt/(prompt-documents|system-text))|messages/(messages\\.module|text-quota))\\.ts$',
  },
};

const wholeConversations = {
  name: 'chat-for-whole-conversations',
  comment:
    'shares and imports enter chat through the modules of threads and messages, ThreadsService, ConversationWriter, TextQuota, ThreadLifetimes, contents and SQL fragments.',
  severity: 'error',
  from: { path: '^backend/src/(shares|imports)/', pathNot: tests },
  to: {
    path: '^backend/src/chat/',
    pathNot:
      '^backend/src/chat/(threads/threads\\.(module|service)|messages/(messages\\.module|conversation-writer|content-files|message-content|message-sql|text-quota|thread-lifetimes))\\.ts$',
  },
};

const importReader = {
  name: 'imports-reader',
  comment:
    'imports/reader runs in a process of its own and uses only the contract, storable texts and the loop of that process.',
  severity: 'error',
  from: { path: '^backend/src/imports/reader/', pathNot: tests },
  to: {
    path: '^backend/src/',
    pathNot: '^backend/src/(imports/reader/|platform/sandbox/sandbox-worker\\.ts$|platform/json/storable-json\\.ts$)',
  },
};

const features = {
  name: 'features-apart',
  comment: 'Features do not import one another, except chat → markdown and sidebar → the list of admin pages.',
  severity: 'error',
  from: { path: '^frontend/src/features/([^/]+)/', pathNot: tests },
  to: {
    path: '^frontend/src/features/',
    pathNot: ['^frontend/src/features/$1/', '^frontend/src/features/(markdown/|admin-pages\\.ts$)'],
  },
};

/**
 * Files that need no table: texts of one area in a language, features, which `features-apart` keeps apart, migrations, the
 * module of `platform`, and the roots of the page.
 */
const WITHOUT_TABLE = [
  'frontend/src/texts/[^/]+/areas/[^/]+',
  'frontend/src/features/[^/]+/[^/]+',
  'frontend/src/(app|components|features|routes|texts)/[^/]+',
  'backend/src/platform/database/migrations/[^/]+',
  'backend/src/platform/platform\\.module\\.ts',
];

/** A room without a rule would be free to use any other. */
const roomsWithoutRules = {
  name: 'room-without-rule',
  comment: 'List a new room below the folder around it.',
  severity: 'error',
  from: {
    path: '^(backend|frontend)/src/.+/',
    pathNot: [tests, `^(${listed.join('|')})/[^/]+$`, `^(${WITHOUT_TABLE.join('|')})$`],
  },
  to: {},
};

/** The modules that use the SDK of OpenTelemetry. */
const tracingAdapter = 'otel-tracing|samplers';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    // Modules that Vite makes at build time have no file.
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
    ...rulesOf('backend/src', backend),
    ...rulesOf('backend/src/chat', chat, { isFlat: true }),
    ...pages.flatMap(([folder, rooms]) => rulesOf(folder, rooms)),
    detachedGenerations,
    wholeConversations,
    importReader,
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
