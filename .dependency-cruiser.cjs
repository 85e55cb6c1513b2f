/** Imports run one way. A folder of backend/src may use those listed beside it and nothing else of backend/src. */
const foundation = ['settings', 'platform', 'config'];
const mayUse = {
  config: [],
  platform: ['config'],
  providers: [],
  settings: ['providers', 'platform', 'config'],
  models: ['providers', ...foundation],
  quota: ['models', ...foundation],
  files: foundation,
  users: foundation,
  auth: ['users', ...foundation],
};
mayUse.chat = ['auth', 'quota', 'files', 'models', 'providers', ...foundation];
mayUse.images = ['chat', ...mayUse.chat];
mayUse.starters = ['chat', ...mayUse.chat];
mayUse['public-api'] = ['chat', 'users', ...mayUse.chat];

const tests = '\\.test\\.tsx?$';

const backendFolders = Object.entries(mayUse).map(([folder, others]) => ({
  name: `backend-${folder}`,
  comment: `${folder} uses only: ${others.join(', ') || 'nothing of backend/src'}`,
  severity: 'error',
  from: { path: `^backend/src/${folder}/`, pathNot: tests },
  to: { path: '^backend/src/', pathNot: `^backend/src/(${[folder, ...others].join('|')})/` },
}));

/** Inner rooms of backend/src/files, and what each may use of that folder. */
const filesRooms = {
  store: ['file-name'],
  sandbox: [],
  inspection: ['file-name'],
  extract: ['inspection/', 'sandbox/'],
  images: ['sandbox/'],
  upload: ['inspection/'],
};

const filesRoomRules = Object.entries(filesRooms).map(([room, others]) => ({
  name: `files-${room}`,
  comment: `files/${room} uses only: ${others.join(', ') || 'no other part of files'}`,
  severity: 'error',
  from: { path: `^backend/src/files/${room}/`, pathNot: tests },
  to: { path: '^backend/src/files/', pathNot: `^backend/src/files/(${[`${room}/`, ...others].join('|')})` },
}));

const filesEntry = {
  name: 'files-entry',
  comment: 'Other folders use the service, the module, the entity and the names of files, not the inner rooms.',
  severity: 'error',
  from: { path: '^backend/src/', pathNot: [tests, '^backend/src/files/'] },
  to: {
    path: '^backend/src/files/',
    pathNot: '^backend/src/files/(files\\.(service|module)|file\\.entity|file-name)\\.ts$',
  },
};

const features = {
  name: 'features-apart',
  comment: 'Features do not import one another, except chat → markdown.',
  severity: 'error',
  from: { path: '^frontend/src/features/([^/]+)/', pathNot: tests },
  to: { path: '^frontend/src/features/', pathNot: ['^frontend/src/features/$1/', '^frontend/src/features/markdown/'] },
};

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    // What Vite makes at build time has no file.
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
    ...backendFolders,
    ...filesRoomRules,
    filesEntry,
    {
      name: 'providers-know-no-framework',
      severity: 'error',
      from: { path: '^backend/src/providers/', pathNot: tests },
      to: { path: 'node_modules/(@nestjs|typeorm|pg|ioredis|express|socket\\.io)(/|$)' },
    },
    features,
    {
      name: 'only-chat-shows-markdown',
      severity: 'error',
      from: { path: '^frontend/src/features/(?!chat/|markdown/)', pathNot: tests },
      to: { path: '^frontend/src/features/markdown/' },
    },
    {
      name: 'components-know-no-feature',
      severity: 'error',
      from: { path: '^frontend/src/(components|app)/', pathNot: [tests, '^frontend/src/app/.*\\.gen\\.ts$'] },
      to: { path: '^frontend/src/(features|routes)/' },
    },
    {
      name: 'features-know-no-route',
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
