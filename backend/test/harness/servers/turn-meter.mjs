import { openSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import v8 from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** Turns below this are the idle life of a server, ms. */
const QUIET_TURN_MS = 2;

/** Garbage that may lie in the heap when a measurement begins, bytes. */
const UNCOLLECTED_BYTES = 40 * 2 ** 20;

/** Time without a longer turn after which what a request started has ended, ms. */
const QUIET_MS = 6;

/** Bound of that wait, ms. */
const QUIET_TIMEOUT_MS = 2_000;

/** Work of the calibration; it never changes, so that its time shows the speed of the machine. */
const CALIBRATION_TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({ index, name: `entry ${index}` })),
);
const CALIBRATION_PIECE = Buffer.alloc(64 * 2 ** 10, 'a');
const CALIBRATION_PIECES = 384;
const CALIBRATION_RUNS = 5;

/** A text in the processor's caches, and a body of 24 MB in new pages of memory, whose speeds differ from each other. */
const CALIBRATIONS = {
  text: () => JSON.parse(CALIBRATION_TEXT),
  body: () =>
    Buffer.concat(Array.from({ length: CALIBRATION_PIECES }, () => Buffer.from(CALIBRATION_PIECE))).toString('utf8'),
};

/**
 * CPU time of this thread, ms. Other threads (the collector's helpers, zlib, argon2) do not hold the loop, and other
 * processes of a busy machine do not count. Node 20 has no call for it; Linux adds it to `schedstat` at each timer
 * interrupt, so it may be 4 ms behind. Elsewhere the time of all threads stands in, which is never too low.
 */
function threadClock() {
  if (process.threadCpuUsage) {
    return () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    };
  }
  try {
    const file = openSync('/proc/thread-self/schedstat');
    const bytes = Buffer.alloc(128);
    return () => {
      readSync(file, bytes, 0, bytes.length, 0);
      return Number(bytes.latin1Slice(0, bytes.indexOf(0x20))) / 1e6;
    };
  } catch {
    return processClock;
  }
}

function processClock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function measureTurns() {
  const cpu = threadClock();
  const collector = new v8.GCProfiler();
  let [cpuBefore, activeBefore, lastBusyAt] = [cpu(), 0, 0];
  let longest = 0;
  /** The most that the heap has grown above the least before that moment: what is freed meanwhile is no growth. */
  let growth = 0;
  /** The least since the last forced collection, which leaves some buffers to be freed later. */
  let baseHeap = 0;
  /** After a whole collection, what is freed later was no part of the request; else it may hide what the request takes. */
  let wholeBase = Infinity;

  /** JavaScript heap and the buffers outside it, garbage included, bytes: all of it is memory that a container pays for. */
  const heapInUse = () => {
    const { used_heap_size, external_memory } = v8.getHeapStatistics();
    return used_heap_size + external_memory;
  };

  // The check phase follows the poll phase, so from one to the next is a whole turn: timers, I/O and their promises. An
  // immediate without a reference does not keep the loop spinning. The time outside the poll bounds a clock that is behind.
  const endTurn = () => {
    const [cpuNow, active] = [cpu(), performance.eventLoopUtilization().active];
    const cost = Math.min(cpuNow - cpuBefore, active - activeBefore);
    [cpuBefore, activeBefore] = [cpuNow, active];
    longest = Math.max(longest, cost);
    if (cost > QUIET_TURN_MS) lastBusyAt = performance.now();
    const heap = heapInUse();
    baseHeap = Math.min(baseHeap, heap);
    growth = Math.max(growth, heap - baseHeap);
    setImmediate(endTurn).unref();
  };
  endTurn();

  const begin = ({ collects }) => {
    // A collection takes longer than most requests, so garbage may stay, and counts as heap of the request.
    if (collects || heapInUse() > baseHeap + UNCOLLECTED_BYTES) {
      globalThis.gc?.();
      // Buffers are freed in another thread after a collection, and the next one waits for that.
      if (collects) globalThis.gc?.();
      baseHeap = heapInUse();
    }
    wholeBase = collects ? baseHeap : Infinity;
    collector.start();
    setImmediate(() => {
      [longest, growth] = [0, 0];
      process.send({ meter: 'begun' });
    });
  };

  const end = () => {
    const asked = performance.now();
    const look = setInterval(() => {
      const now = performance.now();
      if (now - Math.max(lastBusyAt, asked) < QUIET_MS && now - asked < QUIET_TIMEOUT_MS) return;
      clearInterval(look);
      // Between the ends of two turns the heap is largest right before a collection.
      for (const { beforeGC } of collector.stop().statistics) {
        const { usedHeapSize, externalMemory } = beforeGC.heapStatistics;
        const base = wholeBase === Infinity ? baseHeap : wholeBase;
        growth = Math.max(growth, usedHeapSize + externalMemory - base);
      }
      process.send({ meter: 'ended', ms: longest, bytes: growth });
    }, QUIET_MS / 3);
  };

  /** Least time of some runs: a collection or another thread only adds to a run. */
  const leastOf = (work) => {
    const runs = Array.from({ length: CALIBRATION_RUNS }, () => {
      const before = processClock();
      work();
      return processClock() - before;
    });
    return Math.min(...runs);
  };

  const calibrate = () => {
    const { text, body } = CALIBRATIONS;
    process.send({ meter: 'calibrated', textMs: leastOf(text), bodyMs: leastOf(body) });
  };

  const orders = { begin, end, calibrate };
  process.on('message', (order) => orders[order.meter]?.(order));
  // A test that is stopped leaves no server behind.
  process.on('disconnect', () => process.exit(0));
}

/**
 * Loaded into a server under test with `--import`: measures the CPU time of each turn of its event loop and the heap in
 * use, on orders from the process that forked it. Without TANYA_TURN_METER it does nothing, so that children of the server,
 * which inherit `--import`, are left alone.
 */
if (isMainThread && process.env.TANYA_TURN_METER === '1') {
  delete process.env.TANYA_TURN_METER;
  measureTurns();
}
