import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** Up to 4.5 s for a name: the second attempt takes twice as long. */
const ATTEMPTS = { timeout: 1_500, tries: 2 };

/**
 * A lookup that asks the name servers itself. That of the system runs in two threads of the process: names of slow
 * servers, which a caller chose, would keep those of providers waiting.
 */
export function nameServerLookup(servers?: readonly string[]): LookupFunction {
  const resolver = new Resolver(ATTEMPTS);
  if (servers !== undefined) resolver.setServers(servers);
  return (hostname, _options, callback) => {
    void Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]).then(([four, six]) => {
      const addresses = [
        ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
        ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
      ];
      if (addresses.length === 0 && four.status === 'rejected') callback(four.reason as NodeJS.ErrnoException, []);
      else callback(null, addresses);
    });
  };
}
