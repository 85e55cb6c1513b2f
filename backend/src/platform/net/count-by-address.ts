import { isLoopbackHost } from './address-ranges.js';
import { limitAddress, siteOf } from './client-address.js';

const LOOPBACK_V6 = limitAddress('::1');

/** Whether a counted address is of this machine: behind a local proxy that TRUST_PROXY does not name, all clients have one. */
export const isLoopback = (address: string): boolean => isLoopbackHost(address) || address === LOOPBACK_V6;

/** How many times the bound of an address all addresses of its IPv6 site (/48) have together. */
const SITE_FACTOR = 4;

/** How many of something each address and each IPv6 site has open. Those without any take no memory. */
export class CountByAddress {
  private readonly open = new Map<string, number>();

  constructor(private readonly max: number) {}

  isFull(address: string): boolean {
    const site = siteOf(address);
    return this.count(address) >= this.max || (site !== null && this.count(site) >= this.max * SITE_FACTOR);
  }

  add(address: string, change: 1 | -1): void {
    const site = siteOf(address);
    for (const network of site === null ? [address] : [address, site]) {
      const count = this.count(network) + change;
      if (count > 0) this.open.set(network, count);
      else this.open.delete(network);
    }
  }

  private count(network: string): number {
    return this.open.get(network) ?? 0;
  }
}
