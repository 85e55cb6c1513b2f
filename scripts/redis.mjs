import { systemProgram } from './system-program.mjs';

/** The path of a redis-server (or Valkey), installed if need be. */
export function redisServer() {
  return systemProgram({ names: ['redis-server', 'valkey-server'], aptPackage: 'redis-server' });
}
