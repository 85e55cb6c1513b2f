import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Nest's adapter with requests and responses that have Express' prototypes from their creation. Otherwise Express sets the
 * prototype of each of them, and V8 gives each a hidden class of its own: no access to their properties is then cached, in
 * Node's code neither. The plain path is `ExpressAdapter`: a short answer of the public API costs 1.1 to 1.3 × the CPU with it
 * (decision 56).
 */
export class SharedClassAdapter extends ExpressAdapter {
  /** Nest's options of the server are not used. */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    // Express sets `app.request` and `app.response` as prototypes, which changes nothing now.
    app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as Express['request'];
    app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as Express['response'];
    this.httpServer = createServer({ IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse }, app);
  }
}
