import { createApp } from './app.js';
import { EnvError, processEnv, readEnv } from './config/env.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

async function main(): Promise<void> {
  const env = readEnv(processEnv());
  const app = await createApp({ env });
  let stopping = false;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      app.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
  await app.listen(env.port, env.host);
  const address = app.getHttpServer().address() as { port: number };
  console.log(`\nTanya is ready: ${env.publicUrl?.origin ?? `http://localhost:${address.port}`}\n`);
}

main().catch((error: unknown) => {
  console.error(error instanceof EnvError || !(error instanceof Error) ? String(error) : error.message);
  process.exit(1);
});
