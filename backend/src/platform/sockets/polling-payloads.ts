/** Separates the packets of a polling request. */
const SEPARATOR = '\x1e';

/** Packets of one polling request. A page that was offline sends some dozens. */
const MAX_PACKETS = 1_000;

interface Transport {
  name: string;
  onData: (payload: unknown) => void;
  onError: (message: string) => void;
}

interface Engine {
  on(event: 'connection', listener: (socket: { transport: Transport }) => void): unknown;
}

/**
 * Closes a connection whose polling request has too many packets: Engine.IO decodes all of them in one turn of the event
 * loop, 0.2 s for the 500,000 that fit into 1 MB. It has no option for their number.
 */
export function limitPollingPayloads(engine: Engine): void {
  engine.on('connection', ({ transport }) => {
    if (transport.name !== 'polling') return;
    const decode = transport.onData.bind(transport);
    transport.onData = (payload) => {
      if (typeof payload === 'string' && hasTooMany(payload)) transport.onError('too many packets');
      else decode(payload);
    };
  });
}

function hasTooMany(payload: string): boolean {
  let packets = 1;
  for (let at = payload.indexOf(SEPARATOR); at !== -1; at = payload.indexOf(SEPARATOR, at + 1)) {
    packets += 1;
    if (packets > MAX_PACKETS) return true;
  }
  return false;
}
