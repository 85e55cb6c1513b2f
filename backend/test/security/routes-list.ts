import type { INestApplication } from '@nestjs/common';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  handle?: { stack?: Layer[] };
}

/** Lists the routes of the running app's router, such as `GET /api/user`. */
export function routesOf(app: INestApplication): string[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  const found = new Set<string>();
  const walk = (layers: Layer[]): void => {
    for (const { route, handle } of layers) {
      for (const method of Object.keys(route?.methods ?? {})) found.add(`${method.toUpperCase()} ${route?.path ?? ''}`);
      walk(handle?.stack ?? []);
    }
  };
  walk(router.stack);
  return [...found].sort();
}
