import { isIP } from 'node:net';

export interface Host {
  host: string;
  port: number;
}

/** The list is invalid; the message continues the name of its variable. */
export class HostListError extends Error {}

const HOST_NAME = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i;
const HOST_AND_PORT = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/;

/** Parses `a:1,b,[::1]:2`. @throws HostListError for an invalid or repeated host */
export function parseHosts(list: string, defaultPort: number): Host[] {
  const hosts = list.split(',').map((text) => parseHost(text, defaultPort));
  const names = hosts.map(nameOfHost);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new HostListError(`lists ${repeated} twice`);
  return hosts;
}

/** `host:port`, with the brackets of an IPv6 address. */
export const nameOfHost = ({ host, port }: Host): string => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

function parseHost(text: string, defaultPort: number): Host {
  const [, name = '', port] = HOST_AND_PORT.exec(text) ?? [];
  const isBracketed = name.startsWith('[');
  const host = isBracketed ? name.slice(1, -1) : name;
  if (isBracketed ? isIP(host) !== 6 : !HOST_NAME.test(host)) {
    throw new HostListError(`lists an invalid host: ${text === '' ? 'an empty one' : text}`);
  }
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)) {
    throw new HostListError(`lists an invalid port: ${text}`);
  }
  return { host, port: port === undefined ? defaultPort : Number(port) };
}
