import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Injection } from './round.js';

interface Total {
  description: string;
  injections: number;
  sends: number;
  violations: number;
}

/** Prints a line per fault and a table at the end. A file keeps the results, so that a run can be resumed. */
export class Report {
  private readonly done: Injection[] = [];

  constructor(private readonly options: { file: string | undefined; isJson: boolean }) {
    const { file } = options;
    if (file === undefined || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n'))
      if (line !== '') this.done.push(JSON.parse(line) as Injection);
  }

  has(round: number, id: string): boolean {
    return this.done.some((injection) => injection.round === round && injection.id === id);
  }

  add(injection: Injection): void {
    this.done.push(injection);
    if (this.options.file !== undefined) appendFileSync(this.options.file, `${JSON.stringify(injection)}\n`);
    if (this.options.isJson) return;
    const { round, id, on, description, sends, notes, violations, seconds } = injection;
    const verdict = violations.length === 0 ? 'ok  ' : 'FAIL';
    console.log(
      `${verdict} ${String(round).padStart(2)} ${id.padEnd(5)} ${on.padEnd(4)} ${description}; ${sends} sends, ${seconds} s${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`,
    );
    for (const violation of violations) console.log(`        ${violation}`);
  }

  get violations(): number {
    return this.done.reduce((sum, injection) => sum + injection.violations.length, 0);
  }

  close(): void {
    const totals = this.totals();
    const injections = this.done.length;
    const sends = this.done.reduce((sum, injection) => sum + injection.sends, 0);
    const sum = { kinds: totals.size, injections, sends, violations: this.violations };
    if (this.options.isJson) {
      console.log(JSON.stringify({ ...sum, faults: Object.fromEntries(totals), injected: this.done }));
      return;
    }
    console.log('\nfault  injections  sends  violations');
    for (const [id, total] of totals) {
      const { injections, sends, violations, description } = total;
      console.log(
        `${id.padEnd(5)}  ${String(injections).padStart(10)}  ${String(sends).padStart(5)}  ${String(violations).padStart(10)}  ${description}`,
      );
    }
    console.log(
      `\n${sum.kinds} kinds of fault, ${sum.injections} injections, ${sum.sends} sends, ${sum.violations} violations`,
    );
  }

  private totals(): Map<string, Total> {
    const totals = new Map<string, Total>();
    for (const { id, description, sends, violations } of this.done) {
      const total = totals.get(id) ?? { description, injections: 0, sends: 0, violations: 0 };
      total.injections += 1;
      total.sends += sends;
      total.violations += violations.length;
      totals.set(id, total);
    }
    return totals;
  }
}
