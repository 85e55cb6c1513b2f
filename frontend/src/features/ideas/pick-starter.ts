/** A random starter that is not shown; any starter when all are shown. */
export function pickStarter(starters: readonly string[], shown: readonly string[], random = Math.random): string {
  const fresh = starters.filter((starter) => !shown.includes(starter));
  const pool = fresh.length > 0 ? fresh : starters;
  return pool[Math.floor(random() * pool.length)] ?? '';
}
