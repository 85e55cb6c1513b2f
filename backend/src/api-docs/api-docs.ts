import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import express, { type Router } from 'express';
import { completeParameters } from './api-parameters.js';
import { ANSWER_SCHEMAS, FIELD_SCHEMAS, type Operation, responsesOf } from './api-schemas.js';
import { isPublicApi } from '../public-api/api-addresses.js';

const require = createRequire(import.meta.url);

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** Files of Swagger UI that the page loads. */
const ASSETS = new Set(['swagger-ui.css', 'swagger-ui-bundle.js']);

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Tanya API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/init.js"></script>
  </body>
</html>
`;

/** Separate file: the content security policy forbids inline scripts. */
const INIT = `SwaggerUIBundle({ url: '/api/docs-json', dom_id: '#swagger-ui', deepLinking: true });\n`;

type Content = Record<string, { schema: Schema }>;

const json = (dto: string): Content => ({ 'application/json': { schema: { $ref: `#/components/schemas/${dto}` } } });

const FILE_FORM: Content = {
  'multipart/form-data': {
    schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
  },
};

/** Bodies of routes that parse them without a DTO parameter, by type. */
const BODIES: Record<string, Content> = {
  '/api/v1/chat': json('CompletionRequestDto'),
  '/api/v1/chat/completions': json('CompletionRequestDto'),
  '/api/v1/embeddings': json('EmbeddingRequestDto'),
  '/api/v1/messages': json('MessageRequestDto'),
  '/api/v1/messages/count_tokens': json('CountedMessagesDto'),
  '/api/v1/responses': json('ResponseRequestDto'),
  '/api/v1/responses/compact': json('CompactRequestDto'),
  '/api/v1/responses/input_tokens': json('CountedResponseDto'),
  '/api/v1/images/generations': json('ImageRequestDto'),
  '/api/v1/audio/transcriptions': {
    'multipart/form-data': { schema: { $ref: '#/components/schemas/TranscriptionRequestDto' } },
  },
  '/api/chat/transcribe': {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { file: { type: 'string', format: 'binary' }, language: { type: 'string' } },
        required: ['file'],
      },
    },
  },
  '/api/auth/oidc/{id}/backchannel-logout': {
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', properties: { logout_token: { type: 'string' } }, required: ['logout_token'] },
    },
  },
  '/api/admin/logo': FILE_FORM,
  '/api/files': FILE_FORM,
  '/api/projects/{id}/files': { ...FILE_FORM, ...json('CopyFileDto') },
  '/api/user/import': FILE_FORM,
};

/** Routes that identify no client by cookie. */
const WITHOUT_SESSION = /^\/api\/(health\/|logo|auth\/oidc\/\{id\}\/backchannel-logout$)/;

interface Server {
  version: string;
  sessionCookie: string;
}

/** OpenAPI document of every route, with input schemas from the validation metadata. */
async function describe(app: INestApplication, { version, sessionCookie }: Server): Promise<OpenAPIObject> {
  // Loaded at the first request: the import would slow down every start.
  const [{ DocumentBuilder, SwaggerModule }, { validationMetadatasToSchemas }] = await Promise.all([
    import('@nestjs/swagger'),
    import('class-validator-jsonschema'),
  ]);
  const document = SwaggerModule.createDocument(
    app,
    new DocumentBuilder()
      .setTitle('Tanya')
      .setDescription('Routes below /api/v1 take an API key, all others the cookies of the page.')
      .setVersion(version)
      .addCookieAuth(sessionCookie, undefined, 'session')
      // `addBearerAuth` would call the keys JWTs.
      .addSecurity('apiKey', { type: 'http', scheme: 'bearer' })
      .build(),
    { autoTagControllers: true },
  );
  const { defaultMetadataStorage } = require('class-transformer/cjs/storage.js') as { defaultMetadataStorage: object };
  const inputs = validationMetadatasToSchemas({
    classTransformerMetadataStorage: defaultMetadataStorage as never,
    refPointerPrefix: '#/components/schemas/',
  });
  for (const [name, fields] of Object.entries(FIELD_SCHEMAS)) Object.assign(inputs[name]!.properties!, fields);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...(inputs as Record<string, Schema>), ...ANSWER_SCHEMAS },
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      complete(method, path, operation);
      completeParameters(method, path, operation);
    }
  }
  return document;
}

function complete(method: string, path: string, operation: Operation): void {
  const body = BODIES[path];
  if (body !== undefined && ['post', 'put'].includes(method.toLowerCase())) {
    operation.requestBody = { required: true, content: body };
  }
  const isPublic = isPublicApi(path);
  if (isPublic) operation.security = [{ apiKey: [] }];
  else operation.security = WITHOUT_SESSION.test(path) ? [] : [{ session: [] }];
  operation.responses = responsesOf(method, path, operation, isPublic ? 'PublicApiError' : 'ErrorBody');
}

/** Serves `/api/docs` and its OpenAPI document `/api/docs-json`, which is generated at the first request. */
export function serveApiDocs(app: INestApplication, server: Server): Router {
  const router = express.Router();
  const assets = dirname(createRequire(require.resolve('@nestjs/swagger')).resolve('swagger-ui-dist/package.json'));
  let document: Promise<Buffer> | undefined;
  router.get('/api/docs-json', async (_request, response) => {
    document ??= describe(app, server)
      .then((described) => Buffer.from(JSON.stringify(described)))
      .catch((error: unknown) => {
        document = undefined;
        throw error;
      });
    response.type('json').send(await document);
  });
  router.get('/api/docs', (_request, response) => void response.type('html').send(PAGE));
  router.get('/api/docs/init.js', (_request, response) => void response.type('js').send(INIT));
  router.get('/api/docs/:asset', (request, response, next) => {
    const { asset } = request.params;
    if (ASSETS.has(asset)) response.sendFile(join(assets, asset), { cacheControl: false });
    else next();
  });
  return router;
}
