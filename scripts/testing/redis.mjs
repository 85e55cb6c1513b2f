import { systemProgram } from './system-program.mjs';

/** Path of a redis-server or valkey-server; installs one if needed. */
export function redisServer() {
  return systemProgram({ names: ['redis-server', 'valkey-server'], aptPackage: 'redis-server' });
}
