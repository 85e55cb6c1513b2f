import type { Packet } from 'socket.io-parser';

/** Encodes packets as JSON. The library's encoder first searches each value of an event for bytes, which no event of the contract has. */
export class JsonEncoder {
  encode({ type, nsp, id, data }: Packet): [string] {
    const namespace = nsp === '/' ? '' : `${nsp},`;
    return [`${type}${namespace}${id ?? ''}${data == null ? '' : JSON.stringify(data)}`];
  }
}
